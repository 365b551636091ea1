/** Only an address of our own, else the start: nobody is led elsewhere by a link they were sent. */
export const ownAddress = (from: string | undefined): string =>
  from !== undefined && /^\/(?![/\\])/.test(from) ? from : '/'
