import { scannedLibrary } from './books/scanned-library.ts'
import { sqliteBench } from './databases/sqlite.ts'
const profile = process.argv[2] as never
const database = (typeof sqliteBench === 'function' ? await (sqliteBench as any)() : sqliteBench) as any
{
  await using scanned = await scannedLibrary(database, profile)
  const f = scanned.first
  console.log(
    profile,
    f.books,
    'CPU a book us',
    ((f.cpuMs * 1000) / f.books).toFixed(0),
    'listed/s',
    ((f.books * 1000) / f.listedMs).toFixed(0),
    'read/s',
    ((f.books * 1000) / f.readMs).toFixed(0),
  )
}
process.exit(0)
