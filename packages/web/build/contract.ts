import { fileURLToPath } from 'node:url'
import { type Endpoint, isEndpoint, statusOf } from '@carrel/api'
import * as contract from '@carrel/api'
import type { Plugin } from 'vite'

const name = '@carrel/api'
const resolved = '\0carrel-contract'

/**
 * A browser needs the address and the method of an endpoint, not the schemas, summaries and examples the server
 * checks and documents with. They stay at home, and with them the library they are written in.
 */
export const contractForBrowsers = (): Plugin => ({
  name: 'carrel-contract',
  enforce: 'pre',
  resolveId: (id) => (id === name ? resolved : undefined),
  load: (id) => (id === resolved ? source() : undefined),
})

const client = fileURLToPath(import.meta.resolve('../../api/src/client.ts'))

const source = (): string => {
  const constants = Object.entries(contract as Record<string, unknown>).flatMap(([exported, value]) => {
    const text = isEndpoint(value) ? essence(value) : JSON.stringify(value)
    return typeof value === 'function' || text === undefined ? [] : [`export const ${exported} = ${text}`]
  })
  const functions = [`export { addressOf, createClient } from ${JSON.stringify(client)}`, nameOf, lockOf, endpointOf]
  return [...functions, ...constants].join('\n')
}

const nameOf = 'export const nameOf = ({ method, path }) => method + " " + path'

/** It needs nothing but what it is given: as the server says it, so does the app. */
const lockOf = `export const lockOf = ${contract.lockOf.toString()}`

/** Said once, because there are hundreds of them. */
const endpointOf =
  'const endpoint = (method, path, status, isList = false) => ({ kind: "endpoint", method, path, isList, shape: { status } })'

const essence = (endpoint: Endpoint): string => {
  const { method, path, isList } = endpoint
  const said = [method, path, statusOf(endpoint), ...(isList ? [true] : [])]
  // Without the mark those that no page asks would be kept, in case it did something to make them.
  return `/* #__PURE__ */ endpoint(${said.map((each) => JSON.stringify(each)).join(', ')})`
}
