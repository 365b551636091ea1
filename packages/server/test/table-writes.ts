import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A statement that changes rows, and the table it names; undefined where nothing in the source tells which. */
export interface TableWrite {
  readonly file: string
  readonly table: string | undefined
}

const builders = new Set(['insertInto', 'replaceInto', 'mergeInto', 'updateTable', 'deleteFrom'])
/** Our own functions that take the table, or something that holds it, and which of their arguments that is. */
const takingTables = new Map([
  ['insertMany', 1],
  ['replaceIndexed', 1],
  ['updateMany', 1],
  ['rearrange', 1],
  ['moveItem', 1],
  ['carryRule', 0],
])
const worthALook = new RegExp(`\\b(?:${[...builders, ...takingTables.keys()].join('|')})\\(|into|update|delete`)
const plainStatement = /\b(?:insert\s+into|delete\s+from|update(?!\s+set\b))\s+(?:"?(\w+)"?|$)/gi

/** What these files write, through builders, through our own functions and in plain SQL. */
export const writesIn = (files: readonly string[]): TableWrite[] => {
  const namings = files
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => worthALook.test(text))
    .flatMap(({ file, text }) => namesIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), file))
  const computed = new Set(namings.filter(({ name }) => literalsOf(name) === undefined).map(({ file }) => file))
  return [...namings.filter(({ file }) => !computed.has(file)).flatMap(named), ...computedNames([...computed])]
}

interface Naming {
  readonly file: string
  /** The expression that names the table; a text that stands in plain SQL. */
  readonly name: ts.Expression | string
}

const literalsOf = (name: Naming['name']): readonly string[] | undefined =>
  typeof name === 'string' ? [name] : ts.isStringLiteralLike(name) ? [name.text] : undefined

const named = ({ file, name }: Naming): TableWrite[] => (literalsOf(name) ?? []).map((table) => ({ file, table }))

/** Only the compiler knows what a computed name may be; it reads no more files than it must. */
const computedNames = (files: readonly string[]): TableWrite[] => {
  const program = ts.createProgram({
    rootNames: [...files],
    options: {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
    },
  })
  const checker = program.getTypeChecker()
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    return (source ? namesIn(source, file) : []).flatMap((naming) =>
      typeof naming.name === 'string'
        ? named(naming)
        : tablesOf(checker, checker.getTypeAtLocation(naming.name)).map((table) => ({ file, table })),
    )
  })
}

const tablesOf = (checker: ts.TypeChecker, type: ts.Type): (string | undefined)[] => {
  const held = type.getProperty('table')
  if (held) return tablesOf(checker, checker.getTypeOfSymbol(held))
  const constraint = type.isTypeParameter() ? checker.getBaseConstraintOfType(type) : type
  if (constraint?.isUnion()) return constraint.types.flatMap((each) => tablesOf(checker, each))
  return [constraint?.isStringLiteral() ? constraint.value : undefined]
}

const namesIn = (source: ts.SourceFile, file: string): Naming[] => {
  const namings: Naming[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const argument = tableArgument(node)
      if (argument) namings.push({ file, name: argument })
    }
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source) === 'sql')
      namings.push(...namesInSql(node.template).map((name) => ({ file, name })))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return namings
}

const tableArgument = ({ expression, arguments: given }: ts.CallExpression): ts.Expression | undefined => {
  if (ts.isPropertyAccessExpression(expression)) return builders.has(expression.name.text) ? given[0] : undefined
  return ts.isIdentifier(expression) ? given[takingTables.get(expression.text) ?? -1] : undefined
}

const namesInSql = (template: ts.TemplateLiteral): Naming['name'][] => {
  if (ts.isNoSubstitutionTemplateLiteral(template))
    return namesInText(template.text).filter((each) => each !== undefined)
  const parts = [template.head, ...template.templateSpans.map(({ literal }) => literal)]
  return parts.flatMap(({ text }, index) =>
    namesInText(text).flatMap((name): Naming['name'][] => {
      const inserted = template.templateSpans[index]?.expression
      if (name !== undefined) return [name]
      return inserted ? [tableNamedBy(inserted)] : []
    }),
  )
}

/** Undefined: the name is what is inserted after this text. */
const namesInText = (text: string): (string | undefined)[] => [...text.matchAll(plainStatement)].map(([, name]) => name)

/** In `sql.table(name)` it is the name that tells. */
const tableNamedBy = (inserted: ts.Expression): ts.Expression =>
  ts.isCallExpression(inserted) && inserted.expression.getText() === 'sql.table' && inserted.arguments[0]
    ? inserted.arguments[0]
    : inserted
