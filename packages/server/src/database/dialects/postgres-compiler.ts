import {
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  OperatorNode,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
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

/** Its connections say what they have written. */
class NotingDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>()

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

export class ArrayDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new NotingDriver(this.#config)
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new ArrayCompiler()
  }
}
