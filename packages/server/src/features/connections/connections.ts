import type { Connection, DoorAddress, ListAnswer } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import type { Context } from '../../context.ts'
import { requireUser } from '../users/users.ts'
import { countConnections, selectConnections } from './queries.ts'

export const listConnections = async (db: ReadDb, userId: string, paging: Paging): Promise<ListAnswer<Connection>> => {
  const total = await countConnections(db, userId)
  return { total, data: paging.offset < total ? await selectConnections(db, userId, paging) : [] }
}

export const listConnectionsOf = async (
  db: ReadDb,
  userId: string,
  paging: Paging,
): Promise<ListAnswer<Connection>> => {
  await requireUser(db, userId)
  return listConnections(db, userId, paging)
}

/** `base`: where this server is, as whoever asks sees it. */
export const doorAddresses = (settings: Context['settings'], base: string): DoorAddress[] => [
  { kind: 'opds1', address: `${base}/opds/v1/catalog`, isOpen: settings.get('opds.enabled') },
  { kind: 'opds2', address: `${base}/opds/v2`, isOpen: settings.get('opds.enabled') },
  { kind: 'compat', address: `${base}/${settings.get('compat.prefix')}`, isOpen: settings.get('compat.enabled') },
  { kind: 'koreader', address: `${base}/koreader`, isOpen: settings.get('koreader.enabled') },
  { kind: 'koreaderStatistics', address: `${base}/koreader/webdav`, isOpen: settings.get('koreader.enabled') },
]
