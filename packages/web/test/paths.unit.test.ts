import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { paths } from '../src/paths.ts'

interface AnyRoute {
  readonly options: { readonly path?: string }
  readonly children?: readonly AnyRoute[]
}

// The routes ask for little of a browser when they are loaded: where the app lives, and to be told of the network.
beforeAll(() => {
  const nothing = () => undefined
  vi.stubGlobal('document', { querySelector: nothing, addEventListener: nothing })
  vi.stubGlobal('window', { addEventListener: nothing })
})

afterAll(() => {
  vi.unstubAllGlobals()
})

const addressesOf = ({ options, children = [] }: AnyRoute, above = ''): string[] => {
  const own = options.path === undefined ? above : `${above}/${options.path}`.replaceAll(/\/+/g, '/')
  const below = Object.values(children).flatMap((child) => addressesOf(child, own))
  return options.path === undefined || options.path === '' ? below : [own, ...below]
}

/** `/series/1` for `/series/$seriesId`. */
const isAt = (path: string, address: string): boolean =>
  new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+').replaceAll('/', '\\/')}$`).test(path)

test('every address that is linked to has a page, and every page an address', async () => {
  const { routeTree } = await import('../src/routes.tsx')
  const addresses = addressesOf(routeTree as unknown as AnyRoute)
  const linked = Object.entries(paths).map(([name, path]) => {
    const address = (path as (...ids: string[]) => string)('1', '2')
    return [name, address.split('?')[0] ?? ''] as const
  })
  const plain = linked.map(([, path]) => path)

  expect(plain.filter((path) => !addresses.some((address) => isAt(path, address)))).toEqual([])
  expect(addresses.filter((address) => !plain.some((path) => isAt(path, address)))).toEqual([])
  expect(Object.fromEntries(linked)).toMatchInlineSnapshot(`
    {
      "account": "/account",
      "accountKeys": "/account/keys",
      "accountSecurity": "/account/security",
      "home": "/",
      "newLibrary": "/libraries/new",
      "setup": "/setup",
      "signIn": "/sign-in",
    }
  `)
})
