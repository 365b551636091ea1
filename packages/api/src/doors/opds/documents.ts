import { type Static, Type } from 'typebox'
import { type ContributorRole, contributorRoles } from '../../contents.ts'
import { Progression, ReadiumLocator } from '../../reading.ts'
import { Count, record, Timestamp } from '../../schema.ts'
import { opdsTypes } from './media-types.ts'

const Text = Type.String()
const Maybe = Type.Optional(Text)

const LinkProperties = record(
  {
    numberOfItems: Type.Optional(Count),
    authenticate: Type.Optional(record({ href: Text, type: Text }, { title: 'OpdsAuthenticate' })),
  },
  { title: 'OpdsLinkProperties' },
)

export const OpdsLink = record(
  {
    rel: Maybe,
    href: Text,
    type: Maybe,
    title: Maybe,
    templated: Type.Optional(Type.Boolean()),
    width: Type.Optional(Type.Integer({ minimum: 1 })),
    height: Type.Optional(Type.Integer({ minimum: 1 })),
    size: Type.Optional(Count),
    properties: Type.Optional(LinkProperties),
  },
  { title: 'OpdsLink' },
)
export type OpdsLink = Static<typeof OpdsLink>

const Named = record(
  {
    name: Text,
    sortAs: Maybe,
    position: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    links: Type.Optional(Type.Array(OpdsLink)),
  },
  { title: 'OpdsNamed' },
)
export type OpdsNamed = Static<typeof Named>
const People = Type.Optional(Type.Array(Named))

/** The roles that publications know, in the spelling they have there. */
export const opdsRoles = contributorRoles
export type OpdsRole = ContributorRole

const peopleByRole = Object.fromEntries(opdsRoles.map((role) => [role, People])) as Record<OpdsRole, typeof People>

const publicationFields = {
  '@type': Text,
  title: Text,
  subtitle: Maybe,
  sortAs: Maybe,
  identifier: Text,
  altIdentifier: Type.Optional(Type.Array(Text)),
  ...peopleByRole,
  publisher: Type.Optional(Named),
  language: Maybe,
  modified: Timestamp,
  published: Maybe,
  description: Maybe,
  subject: Type.Optional(Type.Array(Named)),
  numberOfPages: Type.Optional(Type.Integer({ minimum: 1 })),
  belongsTo: Type.Optional(record({ series: Named }, { title: 'OpdsBelongsTo' })),
  readingProgression: Text,
  layout: Maybe,
}

export const OpdsPublication = record(
  {
    metadata: record(publicationFields, { title: 'OpdsPublicationMetadata' }),
    links: Type.Array(OpdsLink),
    images: Type.Array(OpdsLink),
  },
  { title: 'OpdsPublication' },
)
export type OpdsPublication = Static<typeof OpdsPublication>

const Group = record(
  {
    metadata: record({ title: Text, numberOfItems: Type.Optional(Count) }, { title: 'OpdsGroupMetadata' }),
    links: Type.Array(OpdsLink),
    navigation: Type.Optional(Type.Array(OpdsLink)),
    publications: Type.Optional(Type.Array(OpdsPublication)),
  },
  { title: 'OpdsGroup' },
)
export type OpdsGroup = Static<typeof Group>

const FacetGroup = record(
  { metadata: record({ title: Text }, { title: 'OpdsFacetMetadata' }), links: Type.Array(OpdsLink) },
  { title: 'OpdsFacet' },
)

export const OpdsFeed = record(
  {
    metadata: record(
      {
        title: Text,
        modified: Timestamp,
        numberOfItems: Type.Optional(Count),
        itemsPerPage: Type.Optional(Type.Integer({ minimum: 1 })),
        currentPage: Type.Optional(Type.Number({ minimum: 1 })),
      },
      { title: 'OpdsFeedMetadata' },
    ),
    links: Type.Array(OpdsLink),
    navigation: Type.Optional(Type.Array(OpdsLink)),
    publications: Type.Optional(Type.Array(OpdsPublication)),
    groups: Type.Optional(Type.Array(Group)),
    facets: Type.Optional(Type.Array(FacetGroup)),
  },
  { title: 'OpdsFeed' },
)
export type OpdsFeed = Static<typeof OpdsFeed>

export const OpdsAuthentication = record(
  {
    id: Text,
    title: Text,
    description: Text,
    links: Type.Array(OpdsLink),
    authentication: Type.Array(
      record(
        { type: Text, labels: record({ login: Text, password: Text }, { title: 'OpdsLabels' }) },
        { title: 'OpdsFlow' },
      ),
    ),
  },
  { title: 'OpdsAuthentication' },
)
export type OpdsAuthentication = Static<typeof OpdsAuthentication>

const tocFields = { title: Text, href: Maybe }
const TocLeaf = record(tocFields, { title: 'OpdsContentsLeaf' })
const nested = (children: typeof TocLeaf, depth: number) =>
  record(
    { ...tocFields, children: Type.Optional(Type.Array(children)) },
    { title: `OpdsContentsEntry${depth}` },
  ) as typeof TocLeaf
export interface OpdsTocEntry {
  readonly title: string
  readonly href?: string
  readonly children?: readonly OpdsTocEntry[]
}

export const OpdsManifest = record(
  {
    '@context': Text,
    metadata: record({ ...publicationFields, conformsTo: Text, layout: Text }, { title: 'OpdsManifestMetadata' }),
    links: Type.Array(OpdsLink),
    readingOrder: Type.Array(OpdsLink),
    resources: Type.Array(OpdsLink),
    toc: Type.Unsafe<readonly OpdsTocEntry[]>(Type.Array(nested(nested(nested(TocLeaf, 3), 2), 1))),
  },
  { title: 'OpdsManifest' },
)
export type OpdsManifest = Static<typeof OpdsManifest>

const Fraction = Type.Number({ minimum: 0, maximum: 1 })

export const OpdsProgression = record(
  {
    modified: Timestamp,
    device: record({ id: Text, name: Text }, { title: 'OpdsDevice' }),
    progression: Fraction,
    references: Type.Optional(Type.Array(Text)),
  },
  { title: 'OpdsProgression' },
)
export type OpdsProgression = Static<typeof OpdsProgression>

const updateFields = {
  modified: Timestamp,
  device: Type.Object(
    { id: Type.String({ minLength: 1, maxLength: 128 }), name: Type.Optional(Type.String({ maxLength: 128 })) },
    { title: 'OpdsUpdateDevice' },
  ),
}

export const OpdsProgressionUpdate = Type.Object(
  {
    ...updateFields,
    progression: Fraction,
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    references: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 20 })),
  },
  { title: 'OpdsProgressionUpdate' },
)
export type OpdsProgressionUpdate = Static<typeof OpdsProgressionUpdate>

export const OpdsPosition = Progression
export const OpdsPositionUpdate = Type.Object(
  { ...updateFields, locator: ReadiumLocator },
  { title: 'OpdsPositionUpdate' },
)
export type OpdsPositionUpdate = Static<typeof OpdsPositionUpdate>

// Examples

const book = '019aa3b2-6c7e-7000-8000-000000000040'
const at = '2026-11-21T10:00:00.000Z'

export const exampleOpdsPublication: OpdsPublication = {
  metadata: {
    '@type': 'http://schema.org/ComicIssue',
    title: 'Yotsuba&! 1',
    identifier: `urn:uuid:${book}`,
    author: [{ name: 'Kiyohiko Azuma' }],
    language: 'ja',
    modified: at,
    numberOfPages: 224,
    belongsTo: { series: { name: 'Yotsuba&!', position: 1 } },
    readingProgression: 'rtl',
  },
  links: [
    { rel: 'self', href: `/opds/v2/books/${book}`, type: opdsTypes.publication },
    {
      rel: 'http://opds-spec.org/acquisition',
      href: `/opds/v1/books/${book}/file/Yotsuba%26!%201.cbz`,
      type: 'application/vnd.comicbook+zip',
      size: 104_857_600,
    },
  ],
  images: [{ href: `/opds/v1/books/${book}/cover?v=1`, type: 'image/jpeg' }],
}

export const exampleOpdsFeed: OpdsFeed = {
  metadata: { title: 'Newest books', modified: at, numberOfItems: 1, itemsPerPage: 50, currentPage: 1 },
  links: [{ rel: 'self', href: '/opds/v2/recent', type: opdsTypes.feed }],
  publications: [exampleOpdsPublication],
}

export const exampleOpdsAuthentication: OpdsAuthentication = {
  id: 'https://books.example/opds/v2/auth',
  title: 'Carrel',
  description: 'Sign in with your user name, and your password or an API key.',
  links: [],
  authentication: [
    {
      type: 'http://opds-spec.org/auth/basic',
      labels: { login: 'User name', password: 'Password or API key' },
    },
  ],
}

export const exampleOpdsManifest: OpdsManifest = {
  '@context': 'https://readium.org/webpub-manifest/context.jsonld',
  metadata: {
    ...exampleOpdsPublication.metadata,
    conformsTo: 'https://readium.org/webpub-manifest/profiles/divina',
    layout: 'fixed',
  },
  links: [{ rel: 'self', href: `/opds/v2/books/${book}/manifest/divina`, type: opdsTypes.divina }],
  readingOrder: [{ href: `/opds/v2/books/${book}/pages/1`, type: 'image/jpeg', width: 1600, height: 2400 }],
  resources: [],
  toc: [],
}

export const exampleOpdsProgression: OpdsProgression = {
  modified: at,
  device: { id: 'urn:uuid:019aa3b2-6c7e-7000-8000-0000000000d1', name: 'Tablet' },
  progression: 0.25,
}

export const exampleOpdsPosition = {
  modified: at,
  device: { id: 'tablet-1', name: 'Tablet' },
  locator: {
    href: `/opds/v2/books/${book}/pages/56`,
    type: 'image/jpeg',
    locations: { position: 56, totalProgression: 0.25 },
  },
}
