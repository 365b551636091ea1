import { fileURLToPath } from 'node:url'
import { type Endpoint, isEndpoint, statusOf } from '@carrel/api'
import * as contract from '@carrel/api'
import type { Plugin } from 'vite'

const name = '@carrel/api'
export const contractPrefix = '\0carrel-contract/'
const ownSource = /\/packages\/web\/src\/.*\.tsx?$/

/**
 * A browser needs the address and the method of an endpoint, not the schemas, summaries and examples the server
 * checks and documents with. They stay at home, and with them the library they are written in. Each endpoint is a module
 * of its own: what only some pages ask comes with these pages.
 */
export const contractForBrowsers = (): Plugin => ({
  name: 'carrel-contract',
  enforce: 'pre',
  transform: { filter: { id: ownSource, code: name }, handler: (code) => code.replaceAll(imports, importEach) },
  resolveId: (id) => (id === name || id.startsWith(`${name}:`) ? contractPrefix + id : undefined),
  load: (id) => {
    if (!id.startsWith(contractPrefix)) return undefined
    const code = modules.get(id.slice(contractPrefix.length + name.length + 1))
    return { code: code ?? functions, moduleSideEffects: false }
  },
})

const imports = /import \{([^}]*)\} from '@carrel\/api'/g

const importEach = (_: string, names: string): string =>
  names
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => `import { ${each} } from ${JSON.stringify(homeOf(each.split(' ')[0] ?? ''))}`)
    .join(';')

const homeOf = (exported: string): string => (modules.has(exported) ? `${name}:${exported}` : name)

/** Said once, because there are hundreds of them. */
const endpointOf =
  'export const endpoint = (method, path, status, isList = false) => ({ kind: "endpoint", method, path, isList, shape: { status } })'

const essence = (exported: string, endpoint: Endpoint): string => {
  const { method, path, isList } = endpoint
  const said = [method, path, statusOf(endpoint), ...(isList ? [true] : [])]
  const made = `/* #__PURE__ */ endpoint(${said.map((each) => JSON.stringify(each)).join(', ')})`
  return `import { endpoint } from ${JSON.stringify(`${name}:endpoint`)}\nexport const ${exported} = ${made}`
}

const bookTitle = fileURLToPath(import.meta.resolve('../../api/src/book-title.ts'))
const languages = fileURLToPath(import.meta.resolve('../../api/src/languages.ts'))

const modules: ReadonlyMap<string, string> = new Map([
  ['endpoint', endpointOf],
  // Apart from the functions that every page begins with.
  ...['bookTitleIn', 'numberInTitle'].map((name): [string, string] => [
    name,
    `export { ${name} } from ${JSON.stringify(bookTitle)}`,
  ]),
  ['bookNumberOf', `export { bookNumberOf } from ${JSON.stringify(bookTitle)}`],
  ['numberInTitle', `export { numberInTitle } from ${JSON.stringify(bookTitle)}`],
  ...Object.entries(contract as Record<string, unknown>).flatMap(([exported, value]): [string, string][] => {
    if (isEndpoint(value)) return [[exported, essence(exported, value)]]
    const text = typeof value === 'function' ? undefined : JSON.stringify(value)
    return text === undefined ? [] : [[exported, `export const ${exported} = ${text}`]]
  }),
  ...['languages', 'isLanguage', 'languageFor'].map((name): [string, string] => [
    name,
    `export { ${name} } from ${JSON.stringify(languages)}`,
  ]),
])

const client = fileURLToPath(import.meta.resolve('../../api/src/client.ts'))

const functions = [
  `export { addressOf, createClient } from ${JSON.stringify(client)}`,
  'export const nameOf = ({ method, path }) => method + " " + path',
  // It needs nothing but what it is given: as the server says it, so does the app.
  `export const lockOf = ${contract.lockOf.toString()}`,
].join('\n')
