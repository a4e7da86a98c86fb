"""Makes tables of the lines that `jantaku-heuristic` prints.

usage: tables.py MEASUREMENT FILE

- measured.py: reads and formats
- attack_tables.py: hands, discards, calls, damaten, kans
- role_tables.py: roles
- danger_tables.py: threats, waits, open-waits
"""

import sys

from attack_tables import calls, damaten, discards, hands, kans
from danger_tables import open_waits, threats, waits
from measured import read
from role_tables import roles

TABLES = {
    "hands": hands,
    "discards": discards,
    "calls": calls,
    "damaten": damaten,
    "kans": kans,
    "roles": roles,
    "threats": threats,
    "waits": waits,
    "open-waits": open_waits,
}


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in TABLES:
        sys.exit(__doc__)
    TABLES[sys.argv[1]](read(sys.argv[2]))


if __name__ == "__main__":
    main()
