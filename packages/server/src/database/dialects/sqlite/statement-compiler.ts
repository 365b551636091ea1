import {
  type BinaryOperationNode,
  ColumnNode,
  type OperationNode,
  OperatorNode,
  PrimitiveValueListNode,
  ReferenceNode,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'

/** Shorter lists stand in the statement, by whose length SQLite plans. */
const shortest = 500
const operators = new Map([
  ['in', ' in '],
  ['not in', ' not in '],
])

/**
 * Indexes over some rows of a table say which by a value of one of these columns. Such an index is used where the same value
 * stands in the statement: of parameters SQLite knows nothing when it plans (hidden-values.ts).
 */
export const indexedByValue: ReadonlySet<string> = new Set([
  'analysis',
  'begun',
  'book_count',
  'completed',
  'is_due',
  'is_format',
  'is_taken',
  'kind',
  'rereading',
  'scale',
  'state',
  'status',
  'subject',
  'told',
])

export class StatementCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const text = OperatorNode.is(operator) ? operators.get(operator.operator) : undefined
    if (text !== undefined && PrimitiveValueListNode.is(rightOperand) && isLongListOfTexts(rightOperand.values))
      this.#appendLongList(leftOperand, text, rightOperand.values)
    else if (ValueNode.is(rightOperand) && isIndexedByValue(leftOperand) && isWord(rightOperand.value))
      super.visitBinaryOperation({ ...node, rightOperand: ValueNode.createImmediate(rightOperand.value) })
    else super.visitBinaryOperation(node)
  }

  /**
   * A long list of texts is one parameter: with one for each value, making the statement and sending it would hold up whoever is
   * answered by the same process, and a list of each length would be a statement of its own.
   */
  #appendLongList(leftOperand: OperationNode, text: string, values: readonly unknown[]): void {
    this.visitNode(leftOperand)
    this.append(`${text}(select value from json_each(`)
    this.appendValue(JSON.stringify(values))
    this.append('))')
  }
}

const isLongListOfTexts = (values: readonly unknown[]): boolean =>
  values.length >= shortest && values.every((value) => isPlain(value))

/** JSON has no halves of characters, and SQLite ends a text of it where a zero stands. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000')

const isIndexedByValue = (node: OperationNode): boolean =>
  ReferenceNode.is(node) && ColumnNode.is(node.column) && indexedByValue.has(node.column.column.name)

/**
 * Words that the program names look so, and for these columns the contract lets nobody send others. A text of each value that
 * anybody may send would be a statement of its own.
 */
const isWord = (value: unknown): value is string | number =>
  value === 0 || value === 1 || (typeof value === 'string' && /^[a-z_]{1,32}$/.test(value))
