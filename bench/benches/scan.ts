import { type Least, leastOfReading } from '../books/least.ts'
import { type FirstScan, scannedLibrary } from '../books/scanned-library.ts'
import type { BenchDatabase } from '../databases/database.ts'
import type { Bench, Figure } from '../figure.ts'
import { generatedLibrary } from '../gen/library.ts'
import type { ProfileName } from '../gen/profiles.ts'

const rounds = 3
const megabyte = 1_000_000
const gates = { ofLeast: { min: 0.5 }, bytesOfLarge: { max: 1 } }

/** Libraries a server has never seen, each time with a new database. */
export const initialScan: Bench = {
  names: ['scan.initial.M', 'scan.initial.BIG'],
  run: async ({ database }) => [
    ...(await firstScans(database, 'M', { ofLeast: gates.ofLeast })),
    // Six files: what it takes to begin is most of it.
    ...(await firstScans(database, 'BIG', { bytes: gates.bytesOfLarge })),
  ],
}

const firstScans = async (
  database: BenchDatabase,
  profile: ProfileName,
  gate: { readonly ofLeast?: Figure['gate']; readonly bytes?: Figure['gate'] },
): Promise<Figure[]> => {
  const library = await generatedLibrary(profile)
  await leastOfReading(library)
  const scans: FirstScan[] = []
  const least: Least[] = []
  for (let round = 0; round < rounds; round += 1) {
    least.push(await leastOfReading(library))
    await using scanned = await scannedLibrary(database, profile)
    scans.push(scanned.first)
  }
  const name = `scan.initial.${profile}`
  const ofLeast = (measure: (least: Least, scan: FirstScan) => number) =>
    scans.map((scan, round) => measure(least[round] ?? { ms: Number.NaN, cpuMs: Number.NaN }, scan))
  return [
    ...figuresOfScans(name, scans, gate.bytes),
    {
      name: `${name}, the least, CPU of a book`,
      unit: 'µs',
      values: least.map((l) => (l.cpuMs * 1000) / library.counts.books),
    },
    {
      name: `${name} of the least, by CPU`,
      unit: '× limit',
      values: ofLeast((least, scan) => least.cpuMs / scan.cpuMs),
    },
    {
      name: `${name} of the least, by time`,
      unit: '× limit',
      values: ofLeast((least, scan) => least.ms / scan.readMs),
      ...(gate.ofLeast && { gate: gate.ofLeast }),
    },
  ]
}

export const figuresOfScans = (name: string, scans: readonly FirstScan[], bytesGate?: Figure['gate']): Figure[] => [
  { name: `${name}, listed`, unit: 'books/s', values: scans.map((each) => (each.books * 1000) / each.listedMs) },
  { name: `${name}, read`, unit: 'books/s', values: scans.map((each) => (each.books * 1000) / each.readMs) },
  { name: `${name}, CPU of a book`, unit: 'µs', values: scans.map((each) => (each.cpuMs * 1000) / each.books) },
  {
    name: `${name}, read of the bytes`,
    unit: '%',
    values: scans.map((each) => (each.bytesRead * 100) / each.bytes),
    ...(bytesGate && { gate: bytesGate }),
  },
  { name: `${name}, most memory, all processes`, unit: 'MB', values: scans.map((each) => each.peakBytes / megabyte) },
]
