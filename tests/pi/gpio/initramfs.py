"""The small first file system of the guest: busybox, a few kernel modules, and the way to this machine's own files.

    python initramfs.py KERNEL BUSYBOX JOB OUT

KERNEL is the folder of an unpacked kernel, JOB a script that bash runs in the guest, OUT the gzipped cpio archive.
"""

from __future__ import annotations

import gzip
import lzma
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

MODULES = ("virtio_pci", "9p", "9pnet_virtio", "overlay", "configfs", "gpio_sim")

INIT = """\
#!/bin/busybox sh
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read module; do insmod /modules/$module.ko; done < /modules/order
mount -t 9p -o trans=virtio,version=9p2000.L,msize=1048576,cache=loose,ro root /lower
mount -t tmpfs tmpfs /upper
mkdir /upper/files /upper/work
mount -t overlay overlay -o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work /new
for folder in proc sys dev; do mount --move /$folder /new/$folder; done
mkdir -p /new/dev/shm
mount -t tmpfs shm /new/dev/shm
mount -t tmpfs tmp /new/run
mount -t configfs none /new/sys/kernel/config
cp /job /new/dev/shm/job
exec switch_root /new /bin/bash /dev/shm/job
"""


def modules(kernel: Path) -> dict[str, bytes]:
    """The modules and all that they depend on, in the order in which they must be loaded."""
    folder = next((kernel / "usr/lib/modules").iterdir())
    files = {_name(path.name): path for path in folder.rglob("*.ko*")}
    built_in = {_name(Path(line).name) for line in (folder / "modules.builtin").read_text().split()}
    found: dict[str, bytes] = {}

    def need(name: str) -> None:
        if name in built_in or name in found:
            return
        data = files[name].read_bytes()
        data = lzma.decompress(data) if files[name].suffix == ".xz" else data
        depends = data.partition(b"\0depends=")[2].partition(b"\0")[0].decode()
        for other in filter(None, depends.split(",")):
            need(_name(other))
        found[name] = data

    for name in MODULES:
        need(name)
    return found


def _name(file: str) -> str:
    return file.partition(".ko")[0].replace("-", "_")


def main(kernel: Path, busybox: Path, job: Path, out: Path) -> None:
    """Write the archive."""
    with TemporaryDirectory() as temporary:
        root = Path(temporary)
        for folder in ("bin", "dev", "lower", "modules", "new", "proc", "sys", "upper"):
            (root / folder).mkdir()
        shutil.copy(busybox, root / "bin/busybox")
        shutil.copy(job, root / "job")
        loaded = modules(kernel)
        for name, data in loaded.items():
            (root / f"modules/{name}.ko").write_bytes(data)
        (root / "modules/order").write_text("".join(f"{name}\n" for name in loaded))
        (root / "init").write_text(INIT)
        (root / "init").chmod(0o755)
        names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
        command = ["cpio", "-o", "-H", "newc", "--quiet"]
        archive = subprocess.run(command, cwd=root, input=names.encode(), stdout=subprocess.PIPE, check=True)  # noqa: S603
        out.write_bytes(gzip.compress(archive.stdout, compresslevel=1))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
