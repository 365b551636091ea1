import type { Database } from '../../database/database.ts'
import type { Viewer } from './viewer.ts'

/** What `work` reads for somebody, and nobody keeps, is read from the replica where there is one that has all they may be shown. */
export const readAsOfNow = async <Answer>(
  { changeMark, replica }: Pick<Database, 'changeMark' | 'replica'>,
  { userId: reader }: Pick<Viewer, 'userId'>,
  work: () => Promise<Answer>,
): Promise<Answer> => (replica ? replica.readAsOf({ reader, mark: await changeMark(reader) }, work) : work())
