import { type Endpoint, isProtected, type Permission } from '@carrel/api'
import { doorEndpoints } from '@carrel/api/doors/all-endpoints'
import type { FeedContext } from './feed.ts'

/** The addresses of this door as a tree: a step for each part of a path. */
interface Branch {
  readonly steps: Map<string, Branch>
  /** A parameter of the path stands here. */
  any?: Branch
  endpoint?: Endpoint
}

const shown = doorEndpoints.filter(({ method, shape }) => method === 'GET' && shape.door === 'opds')

const treeOf = (endpoints: readonly Endpoint[]): Branch => {
  const root: Branch = { steps: new Map() }
  for (const endpoint of endpoints) {
    let branch = root
    for (const part of partsOf(endpoint.path)) {
      const isParameter = part.startsWith('{')
      const next: Branch = (isParameter ? branch.any : branch.steps.get(part)) ?? { steps: new Map() }
      if (isParameter) branch.any = next
      else branch.steps.set(part, next)
      branch = next
    }
    branch.endpoint = endpoint
  }
  return root
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

const tree = treeOf(shown)

/** It finds the endpoint of an address of this door; the last parameter may go on to the end of the address. */
const endpointAt = (path: string): Endpoint | undefined => {
  let branch = tree
  for (const part of partsOf(path)) {
    const next = branch.steps.get(part) ?? branch.any
    if (!next) return branch.endpoint?.path.endsWith('{path}') === true ? branch.endpoint : undefined
    branch = next
  }
  return branch.endpoint
}

/** It returns whether the caller may follow a link to this address: other links are not shown. */
export const isOffered = ({ origin, basePath, permissions }: FeedContext, href: string): boolean => {
  const local = href.startsWith(`${origin}/`) ? href.slice(origin.length) : href
  const end = local.search(/\?|#|\{\?/)
  const path = (end < 0 ? local : local.slice(0, end)).slice(basePath.length)
  const endpoint = endpointAt(path)
  return endpoint !== undefined && permissionsOf(endpoint).every((each) => permissions.has(each))
}

const permissionsOf = ({ shape }: Endpoint): readonly Permission[] => {
  const { access, needs = [] } = shape
  if (!isProtected(shape) || access === 'signed-in') return needs
  return [access as Permission, ...needs]
}

const permissionsThatMatter = [...new Set(shown.flatMap(permissionsOf))]

/** The same for all who are offered the same. */
export const keyOfOffer = ({ permissions }: Pick<FeedContext, 'permissions'>): string =>
  permissionsThatMatter.map((each) => (permissions.has(each) ? '1' : '0')).join('')
