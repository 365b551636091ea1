import type { ReadListDto } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { notFound } from '../../platform/errors.ts'
import { type CountedReadList, type Onlooker, selectReadList, toReadList } from './queries.ts'

export const requireReadList = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<CountedReadList> => {
  const row = await selectReadList(db, onlooker, id)
  if (!row) throw notFound('read list')
  return row
}

export const readReadList = async (db: ReadDb, onlooker: Onlooker, id: string): Promise<ReadListDto> =>
  toReadList(await requireReadList(db, onlooker, id))
