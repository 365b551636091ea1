import { withClient } from './postgres-client.ts'

const answersWithinMs = 2000

/**
 * It returns the plan of a statement for any parameters: none of them is told to the database, so none stands in the plan. The
 * transaction can change nothing, and what is set in it ends with it.
 */
export const planOnPostgres = (url: string, statement: string): Promise<string[]> =>
  withClient({ url, answersWithinMs }, async (client) => {
    await client.query('begin read only')
    await client.query(`set local statement_timeout = ${answersWithinMs}`)
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare slow_statement as ${statement}`)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute slow_statement${nulls(statement)}`)
    // A pooler keeps the connection for others.
    await client.query('deallocate slow_statement')
    await client.query('rollback')
    return rows.map((row) => row['QUERY PLAN'])
  })

const nulls = (statement: string): string => {
  const count = Math.max(0, ...Array.from(statement.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  return count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`
}
