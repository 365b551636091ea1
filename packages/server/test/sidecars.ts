import * as api from '@carrel/api'
import { coverStore } from '../src/features/covers/covers.ts'
import { readSidecars, writeSidecars } from '../src/features/sidecars/sidecars.ts'
import { bodyOf } from './outcome.ts'
import type { Person, TestServer } from './start-server.ts'

/** It writes them into a folder, as the command does. */
export const writeSidecarsOf = ({ context: { db, config } }: TestServer, folder: string, since?: Date) => {
  const options = { into: { folder }, pictures: coverStore(config), now: new Date() }
  return writeSidecars(db.readSlowly, { ...options, ...(since && { since: since.toISOString() }) })
}

/** It reads those of a folder, as the command does. */
export const readSidecarsOn = ({ context: { db, config } }: TestServer, folder: string) =>
  readSidecars(db, { folder, pictures: coverStore(config), now: new Date() })

/** All that a server answers of its books and series, but for what is made anew on each: ids and times. */
export const catalogueOf = async (person: Person) => {
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, each: unknown) =>
        /^(?:id|.*Id|.*At|at|by|coverVersion|etag|.*Version)$/.test(key) ? undefined : each,
      ),
    )
  const { data: books } = bodyOf(await person.call(api.listBooks, { query: { pageSize: 100 } }))
  const { data: series } = bodyOf(await person.call(api.listSeries, { query: { pageSize: 100 } }))
  const answers = []
  for (const { id } of books)
    answers.push(
      bodyOf(await person.call(api.readBook, { params: { id } })),
      bodyOf(await person.call(api.readBookMetadata, { params: { id } })),
      bodyOf(await person.call(api.readBookMetadataSources, { params: { id } })),
    )
  for (const { id } of series)
    answers.push(
      bodyOf(await person.call(api.readSeries, { params: { id } })),
      bodyOf(await person.call(api.readSeriesMetadata, { params: { id } })),
      bodyOf(await person.call(api.readSeriesMetadataSources, { params: { id } })),
    )
  return plain(answers)
}
