import { type DatabaseAddress, openDatabase } from '../src/database/open.ts'
import { migrate } from '../src/database/migrate.ts'
import { createLog } from '../src/platform/log.ts'

export const migrateFresh = async (address: DatabaseAddress): Promise<void> => {
  const log = createLog({ level: 'silent', format: 'json' })
  const database = await openDatabase(address, log, (error) => {
    throw error
  })
  await migrate({ database, log, clock: () => new Date(), keepCopy: async () => undefined })
  await database.close()
}
