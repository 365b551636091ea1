import type { ReadDb } from '../../../database/database.ts'
import { stagedRows } from '../staging.ts'
import type { Applying } from './step.ts'

export const loggedIn = async (db: ReadDb, importId: string): Promise<Applying['logged']> => {
  const logged = new Map<string, Set<'session' | 'completion'>>()
  for (const type of ['session', 'completion'] as const)
    for await (const { records } of stagedRows(db, importId, type))
      for (const { user, book } of records) noteLogged(logged, `${user} ${book}`, type)
  return logged
}

const noteLogged = <Type>(logged: Map<string, Set<Type>>, key: string, type: Type): void => {
  const types = logged.get(key)
  if (types) types.add(type)
  else logged.set(key, new Set([type]))
}
