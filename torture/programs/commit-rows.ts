import { statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** It commits rows one after the other, as safely as it is told, and prints for each how long the journal was afterwards. */
const [file = '', journal = '', synchronous = '', rows = '0'] = process.argv.slice(2)
const database = new Sqlite(file)
database.pragma('journal_mode = WAL')
database.pragma(`synchronous = ${synchronous}`)
database.pragma('wal_autocheckpoint = 40')
database.exec('create table if not exists row (n integer primary key, filler text not null)')
const insert = database.prepare('insert into row (n, filler) values (?, ?)')
const acknowledged: number[] = []
for (let n = 1; n <= Number(rows); n += 1) {
  insert.run(n, String(n).repeat(40))
  acknowledged.push(statSync(journal).size)
}
process.stdout.write(JSON.stringify(acknowledged))
