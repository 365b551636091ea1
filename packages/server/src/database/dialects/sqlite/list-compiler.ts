import { type BinaryOperationNode, OperatorNode, PrimitiveValueListNode, SqliteQueryCompiler } from 'kysely'

/** Shorter lists stand in the statement, by whose length SQLite plans. */
const shortest = 500
const operators = new Map([
  ['in', ' in '],
  ['not in', ' not in '],
])

/**
 * A long list of texts is one parameter: with one for each value, making the statement and sending it would hold up whoever is
 * answered by the same process, and a list of each length would be a statement of its own.
 */
export class ListCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const text = OperatorNode.is(operator) ? operators.get(operator.operator) : undefined
    if (text === undefined || !PrimitiveValueListNode.is(rightOperand) || !isLongListOfTexts(rightOperand.values)) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    this.append(`${text}(select value from json_each(`)
    this.appendValue(JSON.stringify(rightOperand.values))
    this.append('))')
  }
}

const isLongListOfTexts = (values: readonly unknown[]): boolean =>
  values.length >= shortest && values.every((value) => isPlain(value))

/** JSON has no halves of characters, and SQLite ends a text of it where a zero stands. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')
