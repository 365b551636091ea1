import {
  type BinaryOperationNode,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  OperatorNode,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type TransactionSettings,
} from 'kysely'
import { noteWritten } from '../whom-it-concerns.ts'

const comparisons = new Map([
  ['in', ' = any('],
  ['not in', ' <> all('],
])

/** A list is one parameter, an array: statements with lists of any length are the same, and made at once. */
class ArrayCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const comparison = OperatorNode.is(operator) ? comparisons.get(operator.operator) : undefined
    // One value is equality, which leaves rows in the order of an index.
    if (comparison === undefined || !PrimitiveValueListNode.is(rightOperand) || rightOperand.values.length < 2) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    this.append(comparison)
    this.appendValue(rightOperand.values)
    this.append(')')
  }
}

interface Conduct {
  readonly limits?: TransactionLimits | undefined
  /** It puts another driver in the place of the usual one. */
  readonly route?: ((usual: Driver) => Driver) | undefined
}

interface TransactionLimits {
  /** A statement of a transaction may take so long, and the time between two. */
  readonly transactionMs: number
}

/** Its connections say what they have written. */
class NotingDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>()
  readonly #limits: TransactionLimits | undefined

  constructor(config: PostgresDialectConfig, limits: TransactionLimits | undefined) {
    super(config)
    this.#limits = limits
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (this.#limits === undefined) return super.beginTransaction(connection, settings)
    // Sent as one message, so that it takes no longer than a beginning without limits.
    await connection.executeQuery(CompiledQuery.raw(beginWithin(this.#limits)))
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    if (this.#known.has(connection)) return connection
    this.#known.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <Row>(query: CompiledQuery) => {
      const result = await execute<Row>(query)
      noteWritten({ ...query, result })
      return result
    }
    return connection
  }
}

const beginWithin = ({ transactionMs }: TransactionLimits): string =>
  `begin isolation level read committed; set local statement_timeout = ${transactionMs}; set local idle_in_transaction_session_timeout = ${transactionMs}`

/** For whoever looks after the connections of a pool without Kysely. */
export const driverOver = (pool: PostgresPool): Driver => new NotingDriver({ pool }, undefined)

/** Limits are for connections that cannot be told theirs when they are made. */
export class ArrayDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #conduct: Conduct

  constructor(config: PostgresDialectConfig, conduct: Conduct = {}) {
    super(config)
    this.#config = config
    this.#conduct = conduct
  }

  override createDriver(): Driver {
    const usual = new NotingDriver(this.#config, this.#conduct.limits)
    return this.#conduct.route?.(usual) ?? usual
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new ArrayCompiler()
  }
}
