/** `/users/{id}` of the contract, as the router spells it. A `path` at the end goes on to the end of the address. */
export const routePattern = (path: string): string =>
  path
    .replace(/^\/\{prefix\}\//, compatMount)
    .replace(/\{path\}$/, '*')
    .replaceAll(/\{(\w+)\}/g, ':$1')

/** The door whose addresses begin as an administrator says: inside of the house they begin with this. */
export const compatMount = '/~compat/'
