import type { Database, WriteDb } from '../../database/database.ts'

/** What is only tried is done, and never committed: what it would have answered is right by itself. */
class OnlyTried extends Error {
  override readonly name = 'OnlyTried'
}

export const attempt = async <Answer>(
  db: Database,
  isDryRun: boolean,
  work: (db: WriteDb) => Promise<Answer>,
): Promise<Answer> => {
  let tried: { readonly answer: Answer } | undefined
  try {
    return await db.write(async (db) => {
      const answer = await work(db)
      if (!isDryRun) return answer
      tried = { answer }
      throw new OnlyTried('It was only tried.')
    })
  } catch (error) {
    if (error instanceof OnlyTried && tried) return tried.answer
    throw error
  }
}
