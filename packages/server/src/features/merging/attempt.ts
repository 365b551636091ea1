import type { Database, WriteDb } from '../../database/database.ts'

/** What is only tried is done, and never committed: what it would have answered is right by itself. */
class DryRunRollback extends Error {
  override readonly name = 'OnlyTried'
}

export const runDry = async <Answer>(
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
      throw new DryRunRollback('It was only tried.')
    })
  } catch (error) {
    if (error instanceof DryRunRollback && tried) return tried.answer
    throw error
  }
}
