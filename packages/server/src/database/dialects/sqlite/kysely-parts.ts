import {
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import type { Statement } from './connection.ts'
import { ListCompiler } from './list-compiler.ts'
import { statementOf } from './many.ts'

export const dialectWith = (driver: Driver): KyselyDialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new ListCompiler(),
})

export const connectionOver = (run: <Row>(statement: Statement) => Promise<QueryResult<Row>>): DatabaseConnection => ({
  executeQuery: (query) => run(statementOf(query)),
  streamQuery: () => {
    throw new Error('Statements on SQLite are not streamed: read page by page')
  },
})
