/** Feeds, entries and their parts have these media types: the same in links and in replies. */
export const opdsTypes = {
  navigation: 'application/atom+xml;profile=opds-catalog;kind=navigation',
  acquisition: 'application/atom+xml;profile=opds-catalog;kind=acquisition',
  entry: 'application/atom+xml;type=entry;profile=opds-catalog',
  openSearch: 'application/opensearchdescription+xml',
  authentication: 'application/opds-authentication+json',
  feed: 'application/opds+json',
  publication: 'application/opds-publication+json',
  divina: 'application/divina+json',
  webPublication: 'application/webpub+json',
  progression: 'application/opds-progression+json',
  readiumProgression: 'application/vnd.readium.progression+json',
} as const
