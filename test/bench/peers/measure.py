"""CPU seconds, wall seconds and largest resident memory of a command and all that it starts, as JSON in a file."""

import json
import resource
import subprocess
import sys
import time

file, *command = sys.argv[1:]
started = time.monotonic()
code = subprocess.run(command, check=False).returncode
wall = time.monotonic() - started
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(file, "w", encoding="utf-8") as out:
    json.dump({"cpu": used.ru_utime + used.ru_stime, "wall": wall, "peakMb": used.ru_maxrss / 1024}, out)
sys.exit(code)
