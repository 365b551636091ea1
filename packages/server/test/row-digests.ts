import { createHash } from 'node:crypto'
import type { DatabaseAddress } from '../src/database/open.ts'
import { openRowSource } from '../src/database/rows.ts'

/** It returns for each table how many rows there are, and a digest of all of them. */
export const digestsOf = async (address: DatabaseAddress): Promise<Record<string, string>> => {
  const source = await openRowSource(address)
  const digests: Record<string, string> = {}
  for (const table of source.tables) {
    const digest = createHash('sha256')
    for await (const rows of source.rows(table)) digest.update(JSON.stringify(rows))
    digests[table.name] = `${await source.count(table)} ${digest.digest('hex')}`
  }
  await source.close()
  return digests
}
