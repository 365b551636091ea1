import type { Fact } from '@carrel/api'
import type { WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { audiencesOf } from '../visibility/visibility.ts'
import { booksOf } from './queries.ts'

/** To those who see something in it; that one without books has changed, to those who can give it some. */
export const announceReadList = async (
  db: WriteDb,
  fact: Fact & { readonly readListId: string },
  now: Date,
): Promise<void> => {
  const sights = await audiencesOf(db, 'book', booksOf(fact.readListId))
  const audiences = sights.map((each) => ({ fact, to: { ...each, permission: 'readlists:read' } as const }))
  await announce(db, audiences.length > 0 ? audiences : [{ fact, to: { permission: 'readlists:write' } }], now)
}
