/** What is promised for each kind of failure. */
export const promises = {
  'P-1': 'Killed at any moment, every change that was acknowledged is there, and unfinished work goes on.',
  'P-2': 'After a power cut the same holds, on a disk that keeps what it says it has written.',
  'P-3': 'On a full disk reading goes on, changes are refused as such, and all is well when there is room.',
  'P-4': 'A full cache is not noticed.',
  'P-5': 'On a disk that may only be read the server serves what is there, or says in one line why not.',
  'P-6':
    'A file that goes, changes or grows in a scan or a download harms nothing else, and nobody gets half of it as a whole.',
  'P-7': 'Storage that hangs holds up its own books and nothing else.',
  'P-8': 'A root that is not there changes nothing.',
  'P-9': 'A clock that jumps ends, expires and deletes nothing.',
  'P-10': 'A task has its effect once, however often it is tried.',
  'P-11': 'Of two workers or schedulers one wins, and the other writes nothing late.',
  'P-12': 'Without its database the server says so, stays, and goes on by itself.',
  'P-13': 'A migration that is broken off is finished or undone by the next start.',
  'P-14': 'An upgrade takes one step; an older program leaves the data of a newer one alone.',
  'P-15': 'A backup is whole, made beside the server, and has its name only when it was tried.',
  'P-16': 'Clients of the event stream that stall are cut, and cost nobody anything.',
  'P-17': 'Floods and slow clients are bounded.',
  'P-18': 'Memory stays within what was agreed; decoders may die.',
  'P-19': 'The process that answers is never busy for long.',
  'P-20': 'Told to stop, the server ends in order, soon and with all its children.',
  'P-21': 'Liveness, readiness and start are told apart, and told right.',
  'P-22': 'The log of the database stays within its bounds.',
  'P-23': 'A file that ends its decoder is tried three times and then left alone.',
  'P-24': 'A fault of ours fails one request, and the server goes on.',
} as const

export type PromiseId = keyof typeof promises

export const promiseIds = Object.keys(promises) as PromiseId[]
