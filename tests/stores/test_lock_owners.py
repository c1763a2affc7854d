"""Who holds a lock, by the kernel's list."""

from hydralab.stores.lock_owners import lock_holders


def test_where_the_kernel_tells_nothing(path, monkeypatch, tmp_path):
    path.touch()
    monkeypatch.setattr("hydralab.stores.lock_owners.LOCKS", tmp_path / "none")
    assert lock_holders(path) == "another process"


def test_processes_that_are_gone_or_out_of_sight(path, monkeypatch, tmp_path):
    path.touch()
    inode, locks = path.stat().st_ino, tmp_path / "locks"
    locks.write_text(
        f"1: POSIX  ADVISORY  WRITE 999999999 fe:00:{inode} 120 120\n"
        f"1: -> POSIX  ADVISORY  WRITE 7 fe:00:{inode} 120 120\n"
        f"2: POSIX  ADVISORY  READ 8 fe:00:{inode} 123 123\n"
        f"3: FLOCK  ADVISORY  WRITE 9 fe:00:{inode} 0 EOF\n"
        f"4: POSIX  ADVISORY  WRITE 10 fe:00:{inode}1 0 EOF\n"
        f"5: POSIX  ADVISORY  WRITE 0 fe:00:{inode} 0 EOF\n"
    )
    monkeypatch.setattr("hydralab.stores.lock_owners.LOCKS", locks)
    assert lock_holders(path, tmp_path / "missing") == "process 999999999"
