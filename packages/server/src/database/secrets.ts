import type { Database, ReadDb } from './database.ts'

/** The secret that every node of an installation shares; `candidate` becomes it if there is none yet. */
export const sharedSecret = (database: Database, name: string, candidate: string): Promise<string> =>
  database.write(async (db) => {
    await db
      .insertInto('secret')
      .values({ name, value: candidate })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { value } = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow()
    return value
  })

export const selectSecret = async (db: ReadDb, name: string): Promise<string | undefined> =>
  (await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst())?.value
