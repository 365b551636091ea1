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
    const text = JSON.stringify(isEndpoint(value) ? essence(value) : value)
    return typeof value === 'function' || text === undefined ? [] : [`export const ${exported} = ${text}`]
  })
  return [`export { addressOf, createClient } from ${JSON.stringify(client)}`, nameOf, ...constants].join('\n')
}

const nameOf = 'export const nameOf = ({ method, path }) => method + " " + path'

const essence = (endpoint: Endpoint): Endpoint => {
  const { kind, method, path, isList } = endpoint
  return { kind, method, path, isList, shape: { status: statusOf(endpoint) } as Endpoint['shape'] }
}
