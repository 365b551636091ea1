import ts from 'typescript'

/** The SQL of a file and what it calls of the query builder: its texts and templates, and the names of methods, without comments. */
export const statementsIn = (file: string, text: string): string => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const parts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) parts.push(node.text)
    else if (ts.isTemplateExpression(node))
      parts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' _ '))
    else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
      parts.push(`.${node.expression.name.text}()`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return parts.join('\n')
}
