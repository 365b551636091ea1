import {
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import type { Statement } from './connection.ts'
import { noteWritten } from '../../whom-it-concerns.ts'
import { statementOf } from './many.ts'
import { StatementCompiler } from './statement-compiler.ts'

export const dialectWith = (driver: Driver): KyselyDialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new StatementCompiler(),
})

export const connectionOver = (run: <Row>(statement: Statement) => Promise<QueryResult<Row>>): DatabaseConnection => ({
  executeQuery: async (query) => {
    const statement = statementOf(query)
    const result = await run<never>(statement)
    const { sql, parameters, rows } = statement
    noteWritten({ sql, parameters: rows ? [rows.shared, rows.values] : parameters, result })
    return result
  },
  streamQuery: () => {
    throw new Error('Statements on SQLite are not streamed: read page by page')
  },
})
