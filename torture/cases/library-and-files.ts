import { browser, by, feature, of, server, smoke, torture } from './case.ts'

export const library = [
  of('B1*', 'F', ['P-8'], {
    what: 'a root that is unmounted and empty: nothing goes missing, however often it is scanned',
    shownBy: [
      feature(
        'scan/roots.server',
        'a root that is another folder now loses nothing until somebody says so',
        'a root whose device is unmounted, and another mounted in its place, loses nothing',
      ),
    ],
  }),
  of('B2*', 'F', ['P-8'], {
    what: 'a root that is gone, a file, may not be read, or whose mount has broken off',
    shownBy: [
      feature('scan/roots.server', 'a root that is another folder now loses nothing until somebody says so'),
      feature('scan/walker/run-walk.one-database', 'storage that gives no sign is taken for unavailable'),
      feature('scan/watch/watch.one-database', 'a root that goes away and comes back is watched again'),
    ],
    missing: 'Not each of the four in a test of its own.',
  }),
  of('B3*', 'F', ['P-8'], {
    what: 'another disk at the same path: nothing is removed before somebody confirms it',
    shownBy: [
      feature(
        'scan/roots.server',
        'a root whose device is unmounted, and another mounted in its place, loses nothing',
        'a root that is exchanged for another takes most of a library only with somebody to confirm it',
      ),
    ],
  }),
  of('B4*', 'F/N', ['P-6', 'P-8'], {
    what: 'one folder cannot be read, or the storage breaks off during the walk: what lies below stays as it was',
    shownBy: [
      smoke('hung-storage', 'books on storage that hangs before they are read are not blamed'),
      feature('scan/disturbed.server', 'files that vanish, move, grow and shrink under a scan keep their ids'),
    ],
    missing: 'Not at 50 random moments of a walk.',
  }),
  of('B5*', 'F', ['P-8'], {
    what: 'most files are really deleted: held until confirmed; those that come back have their ids',
    shownBy: [
      feature('scan/scan-api.server', 'held removals are listed, refused and confirmed'),
      browser('admin-libraries', 'books that vanish all at once are held until somebody says that they are gone'),
    ],
  }),
  of('B6*', 'N', ['P-6'], {
    what: 'files come, go and are renamed all through many scans: in the end the database has what the disk has',
    shownBy: [feature('scan/disturbed.server', 'files that vanish, move, grow and shrink under a scan keep their ids')],
  }),
  of('B7*', 'F', ['P-6'], {
    what: 'a file is cut, replaced or deleted while its pages are sent: never other bytes under a whole answer',
    shownBy: [
      feature('files/files.one-database', 'a file that is cut or written over while it is sent breaks off'),
      feature(
        'pages/pages.one-database',
        'a book that is written over while it is read never gives bytes that are not',
      ),
    ],
  }),
  of('B8', 'N', ['P-6'], {
    what: 'files that are copied in slowly during scans are read when they are whole',
    shownBy: [
      feature('scan/watch/watch.one-database', 'a file that is written for long is looked at until it can be read'),
    ],
  }),
  of('B9', 'F', ['P-6'], {
    what: 'books that are moved between folders and libraries keep ids and progress',
    shownBy: [
      feature('scan/scan.server', 'moved, swapped, re-zipped and replaced files are the books they were'),
      feature('scan/roots.server', 'which are found again elsewhere'),
    ],
    missing: 'Tens of books, not 500.',
  }),
  of('B10*', 'F', ['P-7', 'P-21'], {
    what: 'one library hangs with requests in flight: the other one, signing in and health go on',
    shownBy: [
      smoke(
        'hung-storage',
        'storage that hangs takes its own books with it and nothing else',
        'a server whose storage hangs ends all the same when it is told to',
      ),
      feature('pages/hung-storage.one-database', 'a root that does not answer takes its own books with it'),
    ],
  }),
  of('B11', 'N', ['P-7'], {
    what: 'the same with books already open, during a scan, and on and off again',
    shownBy: [
      smoke('hung-storage', 'books on storage that hangs before they are read are not blamed'),
      server('decoders/pool.one-database', 'a decoder that hangs where not even its end reaches it holds up nobody'),
    ],
    missing: 'Not on and off twenty times.',
  }),
  of('B12*', 'F', ['P-23'], {
    what: 'names that lead out, links, devices and odd bytes in one library: all end, nothing from outside is read',
    shownBy: [
      feature(
        'scan/hostile.one-database',
        'hostile and damaged files are listed, each with its reason, and stop nobody',
      ),
      feature('scan/walker/run-walk.one-database', 'follows no link', 'names that are no UTF-8 are found'),
      server('formats/folder.unit', 'links are neither followed nor listed'),
    ],
  }),
  of('B13', 'F', ['P-6'], {
    what: 'times of files far in the past, in the future, or the same after a change',
    shownBy: [feature('scan/scan.server', 'moved, swapped, re-zipped and replaced files are the books they were')],
    missing: 'Files of 1970 and 2100 have no test of their own.',
  }),
  of('B14', 'N', ['P-6'], {
    what: 'more changes than the watcher can hold: the whole is looked at',
    shownBy: [
      feature('scan/watch/touched.unit', 'more folders than can be told apart are all of the library'),
      feature('scan/watch/watch.one-database', 'when the process that watches ends, another takes its place'),
    ],
    missing: 'Not 50,000 files with a small queue of the kernel.',
  }),
  of('B15', 'S', ['P-18', 'P-19'], {
    what: 'a library of 100,000 books: the first scan, and one that finds nothing new',
    shownBy: [feature('scan/scan.server', 'a scan that finds nothing changed changes nothing')],
    missing: 'Measured by the benches of scans (docs/performance.md), not here.',
  }),
]

export const hostileFiles = [
  of('C1*', 'F/N', ['P-23', 'P-24'], {
    what: 'books with bytes changed at random, in every format: each is read or refused with a reason',
    shownBy: [
      server('formats/archive/zip.unit', 'whatever bytes are changed, a ZIP is read as it was or refused'),
      server('formats/packed-books.unit', 'changed bytes end in a fault or in pages that are right'),
      server('formats/pdf/hostile-pdf.unit', 'a PDF that is damaged anywhere ends in a fault or a bounded answer'),
      server('formats/flowing/hostile-books.unit', 'with any bytes changed is read or refused with a reason'),
      server('formats/archive/rar.unit', 'whatever bytes are changed, the list ends'),
      server('formats/archive/tar.unit', 'whatever bytes are changed, the list ends'),
      server('formats/archive/seven-zip.unit', 'whatever bytes are changed, it ends'),
    ],
    missing: 'In the readers of formats, not 20,000 files in a library of a running server.',
  }),
  of('C2*', 'F', ['P-18', 'P-23'], {
    what: 'bombs: what would unpack to far more than it is, shares bytes, nests, or lies about sizes',
    shownBy: [
      server(
        'formats/archive/zip.unit',
        'what would unpack to far more than it is, or than a book may be, is refused',
        'members that share bytes are refused before any is unpacked',
        'as many members, as long names and as large a directory as the limits say',
      ),
      server('formats/archive/safe-members.unit', 'what states to unpack to more than a book may have'),
      server('formats/xml.unit', 'is refused, and nothing is fetched or unfolded'),
      server('formats/pdf/page-size.unit', 'a page has at most 64 megapixels'),
    ],
  }),
  of('C3*', 'F', ['P-23', 'P-18'], {
    what: 'a file that ends, fills or spins its decoder is tried three times, then left alone with the reason',
    shownBy: [
      feature('scan/hostile.one-database', 'a file that ends its decoder is tried three times, then it is left alone'),
      feature('pages/pages.one-database', 'a book that ends its decoder three times is quarantined'),
      server('tasks/tasks.server', 'a task that kills its worker again and again fails in the end'),
    ],
  }),
  of('C4*', 'N', ['P-24'], {
    what: 'books with scripts in a real browser, in the reader and by their address: nothing runs, nobody is called',
    shownBy: [
      browser(
        'framed-books',
        'a book that means ill runs nothing and calls nobody from within a frame',
        'were the server to let everything of it through, the policy of the surface would hold',
      ),
      server('formats/markup/sanitise.unit', 'there are enough attacks to mean something'),
    ],
  }),
  of('C5*', 'F', ['P-24'], {
    what: 'drawings, pages and mixtures through every upload and every way to a picture',
    shownBy: [
      feature(
        'covers/covers.one-database',
        'what is sent as a cover is a picture by its bytes, bounded, and made anew',
      ),
      feature('pages/pages.one-database', 'what is no picture is never sent as anything a browser shows'),
      feature('fonts/fonts.server', 'a font is told by its content'),
    ],
  }),
  of('C6', 'N', ['P-24'], {
    what: 'our own readers of text with random input: none breaks, none takes long',
    shownBy: [
      server('formats/metadata/comic-info.unit', 'whatever stands in the fields, a layer comes out'),
      server('formats/metadata/opf.unit', 'whatever the entries are, a layer or a fault comes out'),
      server('naming/book-name.unit', 'no name breaks it', 'a name of 64 KiB ends as soon as one of 1 KiB'),
      server('formats/xml.unit', 'whatever the bytes are, there is a tree or a fault that says so'),
    ],
    missing: 'By properties with a seed, without guidance by coverage.',
  }),
  of('C7', 'F', ['P-6'], {
    what: 'texts and names in old encodings: the book is always readable',
    shownBy: [
      server('formats/archive/zip.unit', 'names are read as they were meant, whoever wrote them'),
      server('formats/xml.unit', 'what stands in no encoding it declares is read all the same'),
      server('formats/folder.unit', 'names that are not UTF-8 are pages like all others'),
    ],
  }),
]

export const tasksAndPlugins = [
  of('D1*', 'N', ['P-10', 'P-1'], {
    what: 'many tasks whose workers are killed at random: each effect once, none left, and the figures agree',
    shownBy: [
      smoke('nodes-kill', 'workers killed at any moment', 'a server killed with SQLite takes its worker with it'),
      smoke('worker', 'a worker that is killed is started again'),
      server('tasks/tasks.server', 'what a task does with its end happens once, and the figures count it once'),
      feature('plugins/plugins.one-database', 'a thousand questions to one that is killed at random'),
    ],
  }),
  of('D2*', 'F', ['P-10', 'P-11'], {
    what: 'a task that takes far longer than its lease runs once',
    shownBy: [
      server('tasks/tasks.server', 'no task is run twice at once, and none is left, with three workers on one queue'),
    ],
    missing: 'Not with a processor that is held back.',
  }),
  of('D3*', 'F', ['P-11'], {
    what: 'a worker that stood still longer than its lease writes nothing more',
    shownBy: [
      smoke('nodes-stop', 'a worker that stood still longer than its lease writes nothing more'),
      server('tasks/tasks.server', 'a worker without a sign of life loses its tasks: they run again once'),
    ],
  }),
  of('D4*', 'N', ['P-11'], {
    what: 'several schedulers, one of which pauses: each tick fires once',
    shownBy: [server('tasks/schedule.server', 'of two schedulers one fires each tick')],
  }),
  of('D5', 'F', ['P-10', 'P-19'], {
    what: 'the same task asked for again and again is one; what somebody waits for goes first',
    shownBy: [
      server(
        'tasks/same-key.server',
        'there is one live task a key, however many ask for it at once',
        'whatever is left to a task while it waits, runs or ends is seen by one of its runs',
      ),
      server('tasks/tasks.server', 'the most urgent goes first, then the oldest'),
      server('tasks/plans.server', 'what the queue is asked again and again is answered from indexes'),
    ],
  }),
  of('D6', 'F', ['P-24'], {
    what: 'tasks that fail in every way, take too long, or never end',
    shownBy: [
      server('tasks/tasks.server', 'counts as failed when it takes too long, and one that never stops is told of'),
      smoke('nodes-stop', 'a worker that was given up while its task goes on says so once'),
    ],
  }),
  of('D7*', 'N', ['P-18', 'P-19', 'P-20'], {
    what: 'plugins that misbehave in every way are ended, and see and change nothing they may not',
    shownBy: [
      smoke(
        'hostile-plugins',
        'one that hangs and answers no ping is ended',
        'one that keeps more than it may is ended',
        'one that reads nothing holds up nobody but itself',
        'it sees nothing of our environment',
        'it reads and writes no file but those of its own folder',
        'of one that starts processes without end',
      ),
    ],
    missing: 'One after the other, not twenty at once for ten minutes.',
  }),
  of('D8*', 'F', ['P-20', 'P-1'], {
    what: 'kill -9 of the server with workers and plugins busy: no process is left',
    shownBy: [
      smoke(
        'end-together',
        'with a server that is killed its worker and all decoders end',
        'a worker that stands still ends with its server',
      ),
      smoke('hostile-plugins', 'when the process that runs them is killed without a word'),
      smoke('worker', 'a server that is killed leaves none behind'),
    ],
  }),
  of('D9', 'F', ['P-24'], {
    what: 'services that answer 429, fail, break off, drip or talk nonsense',
    shownBy: [
      feature('matching/waiting.server', 'what must wait for a plugin holds up no scan'),
      server('platform/outbound.unit', 'whatever the other side does, it ends'),
      feature('plugins/plugins.server', 'three bad ones within the hour switch it off'),
    ],
  }),
  of('D10', 'F', ['P-18', 'P-24'], {
    what: 'a plugin that answers too much, or what makes no sense: what is sound of it is kept',
    shownBy: [
      feature('recommendations/recommendations.one-database', 'an answer is kept as far as it is sound'),
      feature('plugins/plugins.one-database', 'what does not fit of an answer is left out of it and told'),
      by('packages/plugin-sdk/src/run.plugin.test.ts', 'a line beyond the limit is passed over without being held'),
    ],
  }),
]

export const time = [
  of('F1*', 'F', ['P-9'], {
    what: 'the clock of a running server goes 400 days ahead and ten years back: nothing expires, nobody is put out',
    shownBy: [
      torture('clock', 'a clock that leaps'),
      server('tasks/schedule.server', 'a clock that leaps makes up for one tick at most'),
      server('tasks/clean-up.server', 'what was told while the clock was ten years back takes no newer event with it'),
    ],
  }),
  of('F2', 'F', ['P-9'], {
    what: 'time zones with odd changes of summer time: days and weeks as an independent count has them',
    shownBy: [
      by('packages/server/src/features/reading/household.server.test.ts', 'a year of four readers on many devices'),
    ],
  }),
  of('F3', 'F', ['P-9'], {
    what: 'clients whose clocks are years ahead never hide what comes later',
    shownBy: [
      feature('reading/record-sessions.server', 'sessions of a clock that is days ahead count as their arrival'),
    ],
  }),
  of('F4', 'F', ['P-9'], {
    what: 'nodes whose clocks differ by up to a minute take each other’s tokens',
    shownBy: [feature('sessions/sessions.server', 'nodes whose clocks are a minute apart take each other’s tokens')],
  }),
]
