import type { MarkupElement, MarkupSpace } from './markup-sink.ts'
import type { AddressUse } from './references.ts'

/**
 * Only these may stand in a chapter we serve. Anything else is left out: an element loses its tags and keeps its
 * content, an attribute is dropped.
 */
const words = (list: string): string[] => list.trim().split(/\s+/)

/** Names as they must be written, by their lower case. */
const spelled = (list: string): ReadonlyMap<string, string> =>
  new Map(words(list).map((name) => [name.toLowerCase(), name]))

/** Lost with all that is in them: what they hold is code, a way around it, or means nothing without it. */
const lost = new Set(
  words(`script style iframe frame frameset noframes noembed embed xmp plaintext template select datalist textarea
  portal fencedframe title case annotation annotation-xml metadata foreignobject animate animatecolor animatemotion
  animatetransform set discard handler listener feimage`),
)

const elements: Readonly<Record<Exclude<MarkupSpace, 'other'>, ReadonlyMap<string, string>>> = {
  html: spelled(`a abbr acronym address area article aside audio b bdi bdo big blockquote br caption center cite code col
  colgroup data dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i
  img ins kbd li main map mark menu meter nav ol p pre progress q rb rp rt rtc ruby s samp section small source span
  strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr`),
  svg: spelled(`svg g defs symbol use a switch view path rect circle ellipse line polyline polygon text tspan textPath
  title desc image linearGradient radialGradient stop pattern clipPath mask marker filter feBlend feColorMatrix
  feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
  feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight
  feSpecularLighting feSpotLight feTile feTurbulence`),
  math: spelled(`math mrow mi mn mo ms mspace mtext mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose
  msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mlabeledtr mtd semantics`),
}

const everywhere = spelled(`id class title lang xml:lang dir style role epub:type hidden translate`)

const attributes: Readonly<Record<Exclude<MarkupSpace, 'other'>, ReadonlyMap<string, string>>> = {
  html: spelled(`abbr align alt bgcolor border cellpadding cellspacing char charoff clear color cols colspan compact
  controls coords datetime default face frame headers height high hreflang ismap kind label loop low max media min muted
  noshade nowrap open optimum reversed rowspan rules scope shape size span srclang start summary text type valign value
  vspace hspace width`),
  svg: spelled(`accumulate additive alignment-baseline amplitude azimuth baseFrequency baseline-shift bias clip clip-path
  clip-rule clipPathUnits color color-interpolation color-interpolation-filters cx cy d diffuseConstant direction display
  divisor dominant-baseline dx dy edgeMode elevation enable-background exponent fill fill-opacity fill-rule filter
  filterUnits flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant
  font-weight fr fx fy glyph-orientation-horizontal glyph-orientation-vertical gradientTransform gradientUnits height
  image-rendering in in2 intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength kerning lengthAdjust letter-spacing
  lighting-color limitingConeAngle marker marker-end marker-mid marker-start markerHeight markerUnits markerWidth mask
  mask-type maskContentUnits maskUnits method mode numOctaves offset opacity operator order orient overflow paint-order
  pathLength patternContentUnits patternTransform patternUnits pointer-events points pointsAtX pointsAtY pointsAtZ
  preserveAlpha preserveAspectRatio primitiveUnits r radius refX refY result rotate rx ry scale seed shape-rendering side
  slope space spacing specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
  stroke-width surfaceScale systemLanguage tableValues targetX targetY text-anchor text-decoration text-rendering
  textLength transform transform-origin type unicode-bidi values vector-effect version viewBox visibility width
  word-spacing writing-mode x x1 x2 xChannelSelector xml:space y y1 y2 yChannelSelector z zoomAndPan`),
  math: spelled(`accent accentunder align alttext bevelled close columnalign columnlines columnspacing columnspan
  denomalign depth display displaystyle equalcolumns equalrows fence form frame framespacing height largeop linethickness
  lquote lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation numalign open
  rowalign rowlines rowspacing rowspan rquote rspace scriptlevel scriptminsize scriptsizemultiplier separator separators
  side stretchy subscriptshift superscriptshift symmetric voffset width`),
}

/** These attributes lead to an address, in this way. No other attribute of any element is an address. */
const addresses: ReadonlyMap<string, AddressUse> = new Map<string, AddressUse>([
  ['html img src', 'load'],
  ['html audio src', 'load'],
  ['html video src', 'load'],
  ['html video poster', 'load'],
  ['html source src', 'load'],
  ['html track src', 'load'],
  ['html link href', 'load'],
  ['html img usemap', 'fragment'],
  ['html a href', 'link'],
  ['html area href', 'link'],
  ['svg a href', 'link'],
  ['svg image href', 'load'],
  ...words('use textpath lineargradient radialgradient pattern filter').map((name): [string, AddressUse] => [
    `svg ${name} href`,
    'fragment',
  ]),
])

/**
 * It returns the spelling of the element, `lost` when it is dropped with its content, undefined when only its tags are
 * dropped.
 */
export const spellingOf = ({ space, name }: Pick<MarkupElement, 'space' | 'name'>): string | undefined => {
  if (space === 'svg' && name === 'title') return name
  if (lost.has(name)) return 'lost'
  return space === 'other' ? undefined : elements[space].get(name)
}

export const spellingOfAttribute = (space: MarkupSpace, name: string): string | undefined => {
  if (space === 'other') return undefined
  return everywhere.get(name) ?? attributes[space].get(name) ?? (/^aria-[a-z]{1,30}$/.test(name) ? name : undefined)
}

/** The attribute takes a value of CSS, which may hold an address. */
export const isStyling = (space: MarkupSpace, name: string): boolean => space === 'svg' && attributes.svg.has(name)

export const addressUseOf = ({ space, name }: MarkupElement, attribute: string): AddressUse | undefined =>
  addresses.get(`${space} ${name} ${attribute}`)

/** They have no end and nothing in them. */
export const isVoid = (space: MarkupSpace, name: string): boolean => space === 'html' && voidElements.has(name)

const voidElements = new Set(words('area br col hr img link meta source track wbr'))
