/* LD_PRELOAD library: stands in for /dev/udmabuf on kernels that lack it.

   libcamera's virtual camera asks /dev/udmabuf to turn a memfd into a dma-buf. No device ever reads these buffers, so
   the memfd itself will do: opening the device gives an unused memfd, creating a buffer duplicates the caller's, and
   what only a real dma-buf understands succeeds without effect. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

typedef int (*open_function)(const char *, int, ...);
typedef int (*openat_function)(int, const char *, int, ...);
typedef int (*ioctl_function)(int, unsigned long, ...);

static int is_udmabuf(const char *path)
{
    return path != NULL && strcmp(path, "/dev/udmabuf") == 0;
}

static mode_t mode_argument(va_list arguments)
{
    return va_arg(arguments, mode_t);
}

#define DEFINE_OPEN(name)                                                      \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        if (is_udmabuf(path))                                                  \
            return memfd_create("udmabuf", MFD_CLOEXEC);                       \
        va_list arguments;                                                     \
        va_start(arguments, flags);                                            \
        mode_t mode = mode_argument(arguments);                                \
        va_end(arguments);                                                     \
        return ((open_function)dlsym(RTLD_NEXT, #name))(path, flags, mode);    \
    }

#define DEFINE_OPENAT(name)                                                               \
    int name(int directory, const char *path, int flags, ...)                             \
    {                                                                                     \
        if (is_udmabuf(path))                                                             \
            return memfd_create("udmabuf", MFD_CLOEXEC);                                  \
        va_list arguments;                                                                \
        va_start(arguments, flags);                                                       \
        mode_t mode = mode_argument(arguments);                                           \
        va_end(arguments);                                                                \
        return ((openat_function)dlsym(RTLD_NEXT, #name))(directory, path, flags, mode);  \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);

    if (request == UDMABUF_CREATE)
        return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
    int result = ((ioctl_function)dlsym(RTLD_NEXT, "ioctl"))(fd, request, argument);
    if (result < 0 && errno == ENOTTY && (request == DMA_BUF_IOCTL_SYNC || request == DMA_BUF_SET_NAME_A || request == DMA_BUF_SET_NAME_B))
        return 0;
    return result;
}
