"""What `companion doctor` looks at: a module a subject, each with `check(machine, config)` that yields findings."""
