"""Programs that run in the virtual machine, with its Python: the standard library, `binder`, `generated`."""
