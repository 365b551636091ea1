import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const program = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** It lists what axe finds wrong with the present page, by all its rules or by one. */
export const findAmiss = async (page: Page, rule?: string): Promise<readonly string[]> => {
  // Everything it finds besides is thrown away.
  const options = { resultTypes: ['violations' as const], ...(rule !== undefined && { runOnly: [rule] }) }
  // Only a page with frames needs another page to put the findings together in.
  if (page.frames().length > 1) {
    const { violations } = await new AxeBuilder({ page, axeSource: program }).options(options).analyze()
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help} at ${html}`))
  }
  // To read the program takes a browser as long as to run it: a document gets it once, however often it is looked at.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(program)
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => id + ': ' + help + ' at ' + html)))`)
}
