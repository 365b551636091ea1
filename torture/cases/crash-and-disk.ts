import { feature, of, server, smoke, torture, inServer } from './case.ts'

export const crashAndDisk = [
  of('A1*', 'F/N', ['P-1'], {
    what: 'kill -9 at random moments while clients write and a scan runs: nothing that was acknowledged is lost',
    shownBy: [
      smoke(
        'crash',
        'killed at any moment, SQLite has every change that was acknowledged',
        'killed at any moment, PostgreSQL has every change that was acknowledged',
      ),
      smoke('reading', 'killed at any moment, no progress that was acknowledged is lost'),
      smoke('scan', 'killed at any moment of a scan, books are neither lost nor doubled'),
      smoke('nodes-kill', 'a server killed with SQLite takes its worker with it'),
    ],
    missing: 'A scan of 5,000 books is killed apart from the writers, not beside them.',
  }),
  of('A2*', 'N', ['P-1'], {
    what: 'the same while each flush takes 20 ms longer',
    shownBy: [torture('failing-disk', 'killed at any moment while each flush takes 20 ms longer')],
  }),
  of('A3*', 'F/N', ['P-2'], {
    what: 'power cuts at any moment, with every fate of what was not flushed; NORMAL and a lying disk must lose',
    shownBy: [
      torture(
        'power-cut',
        'after a power cut at any moment the file has all that was acknowledged',
        'what is committed with synchronous=NORMAL gets lost',
        'a server that is started on what a power cut has left',
        'after a power cut in the first minute of an installation',
      ),
      torture(
        'device-power-cut',
        'after the power of a device goes, all that was acknowledged is there',
        'a server that is started on a device whose power went in a scan',
        'where the power of a device goes while a backup is put back',
      ),
    ],
  }),
  of('A4*', 'N', ['P-2', 'P-13'], {
    what: 'power cuts and kills during a migration of the oldest data: the next start ends where an undisturbed one does',
    shownBy: [
      torture('killed-at-writes', 'power cuts in the middle of a migration'),
      server(
        'database/migrate.server',
        'a process killed in the middle of a step leaves version and data as they were',
      ),
    ],
  }),
  of('A5*', 'N', ['P-13', 'P-15'], {
    what: 'killed at the N-th change of the disk, of a migration and of a backup',
    shownBy: [
      torture(
        'killed-at-writes',
        'a migration that is killed at any change of the disk',
        'a backup that is killed at any change of the disk',
      ),
    ],
  }),
  of('A6*', 'N', ['P-1', 'P-24'], {
    what: 'EIO at the N-th write or flush, once and for good: nothing is acknowledged that is not there',
    shownBy: [
      torture(
        'failing-disk',
        'a write or a flush that fails is never acknowledged',
        'a flush that fails is never acknowledged, nor what shared the commit',
      ),
      server('database/dialects/sqlite/write-queue.unit', 'nobody is answered by a commit that has failed'),
    ],
    missing:
      'The server goes on when a flush fails, where the case asks that it ends (decision 083): on a disk that drops what it could not flush nothing was lost.',
  }),
  of('A7*', 'F', ['P-3'], {
    what: 'the disk fills under writers: reads go on, writes say disk_full, all is well when there is room',
    shownBy: [
      torture('failing-disk', 'a disk that is full at any one write is told as full'),
      smoke('full-disk', 'on a disk without a free byte what was set aside lets people sign in'),
    ],
    missing: 'Not in the middle of a scan with the digest compared at its end.',
  }),
  of('A8*', 'F', ['P-3'], {
    what: 'a start without a free byte, with and without what was set aside',
    shownBy: [
      smoke(
        'full-disk',
        'a start on a disk without a free byte serves what is there',
        'a start on a full disk uses what was set aside',
        'a reserve that another process has taken',
      ),
    ],
  }),
  of('A9', 'F', ['P-4'], {
    what: 'the folder of covers and pages full, read-only or gone',
    shownBy: [
      server('platform/files/file-cache.unit', 'where nothing can be written nothing is kept, and nothing fails'),
      torture(
        'full-folders',
        'where the folders of covers and of what is prepared are full, may only be read, or are gone',
      ),
    ],
  }),
  of('A10*', 'F', ['P-5'], {
    what: 'the data on a disk that becomes read-only under load; the library read-only all the time',
    shownBy: [torture('read-only-disk', 'a disk that may only be read')],
    missing: 'That nothing below a library is opened for writing is not traced.',
  }),
  of('A11', 'N', ['P-4'], {
    what: 'no inodes left while covers are made',
    shownBy: [torture('full-folders', 'where no file more can be made while covers are')],
    missing: 'On a tmpfs with few inodes, not on ext4.',
  }),
  of('A12*', 'N', ['P-22'], {
    what: 'one long reader beside very many small writes: the log stays within 256 MiB, and 64 MiB at rest',
    shownBy: [torture('long-reader', 'the log of the database stays within its bounds')],
  }),
  of('A13*', 'N', ['P-1', 'P-15'], {
    what: 'damaged pages of the database are told, nothing is written any more, a restore mends it',
    shownBy: [
      smoke(
        'damaged-database',
        'whoever comes upon a damaged page is told, nothing is written any more',
        'a server that is started over a damaged database knows it again',
        'a damaged database stays marked until a file is in its place',
        'a file whose very first page is gone stops the start',
      ),
      smoke(
        'replaced-database',
        'nothing is acknowledged while another file, or none, has the name of the database',
        'when the log of the database is deleted under a server, what was acknowledged is put into the database',
        'a database that is deleted under a server is not made anew',
      ),
      smoke('locked-database', 'while another program holds the lock of the database'),
    ],
    missing:
      'Pages of tables are damaged on purpose, not one byte of 50 random pages: what no checksum covers is not seen.',
  }),
  of('A14', 'F', ['P-5'], {
    what: 'the data folder on a network file system',
    shownBy: [smoke('doctor', 'carrel doctor does not wait for storage that hangs')],
    missing: 'A warning for a data folder on a network file system is shown by no test.',
  }),
  of('A15*', 'F', ['P-11'], {
    what: 'a second server on the same file is refused with who has it',
    shownBy: [
      smoke(
        'own-data',
        'a second server on the same data is refused with a sentence that says who has it',
        'commands and workers go on beside a running server',
      ),
      smoke('two-writers', 'a thousand times read and then written while a worker process writes'),
    ],
  }),
]

export const backupAndUpgrade = [
  of('H1*', 'F', ['P-15'], {
    what: 'backups beside a server that is written to, restored elsewhere: all that was acknowledged before is there',
    shownBy: [
      smoke(
        'backup',
        'a backup made beside a scan has all that was acknowledged before',
        'the same on PostgreSQL, from one database to another',
      ),
    ],
    missing: 'One backup a run and not twenty; how much slower writes are meanwhile is measured by a bench.',
  }),
  of('H2*', 'F', ['P-15'], {
    what: 'the place of a backup is full, gone, or the process is killed: no file has a name, the last one stays',
    shownBy: [
      smoke(
        'backup',
        'a backup that is killed leaves nothing with a name',
        'a backup that the disk does not take says so, leaves nothing and keeps the last one',
      ),
      torture('killed-at-writes', 'a backup that is killed at any change of the disk'),
      feature('backups/backups.server', 'a backup that cannot be made says why, and leaves those there are'),
    ],
  }),
  of('H3*', 'F', ['P-15'], {
    what: 'hostile, damaged, foreign and cut archives are refused before the database is touched; a kill leaves old or new',
    shownBy: [
      torture('hostile-archives', 'no archive that is not whole and ours is restored'),
      smoke(
        'backup',
        'a restore that is killed leaves the old database or the new one, whole',
        'a call that cannot work says what would, and touches nothing',
      ),
      feature(
        'backups/archive/archive.unit',
        'an archive with one bit changed anywhere, or cut off anywhere, is refused',
        'what is no archive of ours is refused',
        'a part that is longer than it says, or another, is not taken',
      ),
      feature(
        'backups/restoring/restore.server',
        'a damaged backup is refused, and the database is as it was',
        'an archive whose digests are right is refused when its content is not',
      ),
    ],
  }),
  of('H4', 'N', ['P-15'], {
    what: 'a restore is tried by schedule, and a backup that went bad is told',
    shownBy: [feature('backups/backups.server', 'backups are made when the setting says, and by that name')],
    missing: 'Each backup is restored before it gets its name; older ones are not tried again later.',
  }),
  of('H5*', 'N', ['P-14', 'P-13'], {
    what: 'an upgrade from the data of every release; the copy from before serves with the old program',
    shownBy: [
      smoke('upgrade', 'the data folder of the commit before the baseline is taken over by the next start'),
      inServer(
        'upgrade/upgrade.server',
        'no row of it changes',
        'the schema of such a database is that of a new one',
        'over such a database people sign in as before and find what was theirs',
      ),
      server('database/migrate.server', 'an upgrade runs the steps that are new, once, and keeps a copy before'),
    ],
    missing: 'There is one earlier schema; a million pages are not timed.',
  }),
  of('H6*', 'F', ['P-14'], {
    what: 'an older program refuses a newer schema, and the file is the same to the last byte',
    shownBy: [
      smoke('newer-schema', 'a database of a newer program is left alone to the last byte'),
      smoke('postgres', 'a PostgreSQL of a newer program is left alone'),
      smoke('upgrade', 'one that stopped before is left alone to the last byte'),
    ],
  }),
  of('H7', 'N', ['P-15'], {
    what: 'from SQLite to PostgreSQL and back: the same rows',
    shownBy: [
      smoke(
        'backup',
        'what is exported is imported on the other database, and comes out of it the same',
        'everything goes through a folder from SQLite to PostgreSQL and back',
      ),
      feature('backups/everything/everything.server', 'comes back into an empty installation, row by row'),
    ],
    missing: 'With few books, not 100,000, and not killed half-way.',
  }),
  of('H8', 'F', ['P-15'], {
    what: 'no secret in a backup or in the log of a whole run',
    shownBy: [
      smoke('secrets', 'no secret of the configuration is either'),
      feature('backups/restoring/restore.server', 'the secret of the installation is in no copy'),
      feature('sign-in/sign-in.one-database', 'no password, token or cookie stands in the database or in the log'),
    ],
  }),
]
