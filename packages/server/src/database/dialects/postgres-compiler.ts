import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
} from 'kysely'

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

export class ArrayDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new ArrayCompiler()
  }
}
