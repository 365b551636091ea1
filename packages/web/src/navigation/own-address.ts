/** Only an address of our own is followed, any other leads to the start page: no link can send anybody elsewhere. */
export const ownAddress = (from: string | undefined): string =>
  from !== undefined && /^\/(?![/\\])/.test(from) ? from : '/'
