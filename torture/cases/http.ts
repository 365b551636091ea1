import { browser, feature, of, server, smoke, torture, inServer } from './case.ts'

export const http = [
  of('G1*', 'N', ['P-16', 'P-18'], {
    what: 'ten thousand clients of the stream: memory and delay stay within bounds',
    shownBy: [
      torture('many-streams', 'ten thousand streams each get every event'),
      server('events/feed.server', 'a thousand subscribers of three profiles cost three decisions'),
      feature('events/events.unit', 'where all places for streams are taken another one is told to come back'),
    ],
  }),
  of('G2*', 'F', ['P-16', 'P-18'], {
    what: 'readers that stall are cut and cost no memory, and the others get everything',
    shownBy: [smoke('stalled-readers', 'two hundred readers that stall are cut and cost no memory')],
  }),
  of('G3', 'N', ['P-16', 'P-1'], {
    what: 'the server is killed under thousands of streams: all come back and miss nothing',
    shownBy: [browser('events', 'comes back by itself after the server was killed, and misses nothing')],
    missing: 'With a browser, not with 5,000 clients.',
  }),
  of('G4*', 'F', ['P-16'], {
    what: 'access is taken from many subscribers at once: closed, and nothing after that',
    shownBy: [
      feature(
        'events/events.server',
        'who loses the right hears nothing from then on, and is told to read again',
        'a key that is removed loses its stream',
      ),
    ],
    missing: 'One by one, not a hundred of a thousand.',
  }),
  of('G5*', 'F', ['P-17'], {
    what: 'a thousand clients that send, or read, very slowly: the service goes on for others',
    shownBy: [
      torture('slow-clients', 'clients that send very slowly', 'one address that opens as many connections as it can'),
      server('http/edge/quiet-connections.unit', 'who takes nothing of an answer is cut', 'in between nothing'),
      server('http/edge/network-connections.unit', 'a network has as many connections as it may', 'a proxy of ours'),
    ],
  }),
  of('G6*', 'F', ['P-17', 'P-24'], {
    what: 'malformed requests are refused, and the server goes on',
    shownBy: [
      inServer(
        'contract/hostile.one-database',
        'what cannot be read is 400 in JSON with the headers of the limiter, and the server goes on',
        'as many headers as we take are all read',
      ),
      torture('smuggling', 'whatever is hidden behind a request to'),
    ],
  }),
  of('G7*', 'F', ['P-17'], {
    what: 'bodies too large, too deep, packed or in parts without end',
    shownBy: [
      inServer('contract/hostile.one-database', 'a body that is wrong in any way is refused for what is wrong with it'),
      server('http/edge/unread-body.one-database', 'whoever sends a body that is not wanted gets to read why'),
    ],
  }),
  of('G8*', 'F', ['P-19'], {
    what: 'texts made to take long, in every field',
    shownBy: [
      inServer('conditions/refused-conditions.server', 'bodies made to hurt are refused'),
      server('platform/files/globs.unit', 'a pattern made to take long does not'),
      server('naming/book-name.unit', 'a name of 64 KiB ends as soon as one of 1 KiB'),
      feature('search/search.server', 'any text is a search; one of more than 500 characters is refused'),
    ],
  }),
  of('G9*', 'F', ['P-17', 'P-19'], {
    what: 'three times more requests than can be answered: the rest is refused soon, and all is normal afterwards',
    shownBy: [
      torture(
        'overload',
        'three times more requests than can be answered',
        'one who asks three times more than the server can answer is refused soon',
      ),
      server(
        'database/dialects/sqlite/write-queue.unit',
        'a thousand may wait, and who comes later is told to try again',
      ),
    ],
    missing:
      'Who is within their limits is never refused a page for others that are too many: they wait for all that came before them.',
  }),
  of('G10', 'F', ['P-17'], {
    what: 'no file descriptors are left: the server stays, and accepts again',
    shownBy: [
      torture(
        'few-descriptors',
        'without a descriptor left',
        'what cannot be opened for want of a descriptor is told to wait',
      ),
    ],
  }),
  of('G11*', 'N', ['P-18'], {
    what: 'within 512 MiB: a scan, readers, and the largest pictures that are legal',
    shownBy: [smoke('memory', 'server, worker and what watches a library stay within their budgets of memory')],
    missing: 'The budgets are measured; a group of the kernel that ends processes is not used.',
  }),
  of('G12*', 'S', ['P-18'], {
    what: 'hours of reading, signing in, streams and pages: no leak of memory, descriptors, or processes',
    shownBy: [torture('soak', 'hours of use leave nothing behind')],
  }),
  of('G13*', 'F', ['P-19'], {
    what: 'the process that answers is never busy for long, in any case of this suite',
    shownBy: [
      torture('soak', 'hours of use leave nothing behind'),
      feature('health/event-loop.unit', 'who looks learns how late things came since the last look'),
    ],
    missing: 'Only the soak reads the delay of the loop; other cases do not.',
  }),
  of('G14*', 'F', ['P-20'], {
    what: 'told to stop with streams, downloads and a scan under way: in order, soon, with nothing left',
    shownBy: [
      torture('stopping', 'told to stop with many streams and downloads under way'),
      smoke(
        'stopping',
        'told to stop, the server answers what is under way',
        'told a second time, with',
        'a client that stalls does not keep the server from stopping',
      ),
      smoke('nodes-stop', 'a server told to stop ends its streams, its worker hands back, and nothing is left'),
    ],
  }),
  of('G15', 'F', ['P-20', 'P-1'], {
    what: 'stopped or killed in the first three seconds of a start: the next start finds nothing half done',
    shownBy: [
      torture('stopping', 'stopped or killed at any moment of a start'),
      smoke(
        'crash',
        'killed in the first moments of the first start, the next start finds nothing half done',
        'killed in the first moments on PostgreSQL',
      ),
      smoke('start', 'a server that is told to stop while it starts leaves nothing that hinders the next'),
    ],
  }),
  of('G16*', 'F', ['P-21'], {
    what: 'live, ready and starting are told right, whatever is wrong',
    shownBy: [
      smoke('stopping', 'while it stops the server is alive but not ready'),
      smoke('end-together', 'a worker that says nothing is named by /health/ready'),
      smoke('full-disk', 'on a disk without a free byte'),
      smoke('nodes-database-away', 'while PostgreSQL is away nodes say so and live'),
    ],
    missing: 'Not in one table, and not with a loop that is blocked.',
  }),
  of('G17*', 'N', ['P-24'], {
    what: 'random requests made from the contract, as several roles: no answer that the contract does not name',
    shownBy: [
      inServer('contract/fuzz.server', 'whatever is sent to whatever endpoint, the answer is one the document names'),
      inServer('contract/wrong-types.one-database', 'a wrong type in any parameter'),
    ],
  }),
  of('G18*', 'F', ['P-17'], {
    what: 'limits of requests are exact, and whoever waits as long as told gets in',
    shownBy: [
      smoke('limits', 'a stranger is answered fifty times at once, then refused with three keys'),
      server('http/rate-limit/rate-limit.one-database', 'a stranger has 50 requests at once'),
      server('http/rate-limit/rate-limit.unit', 'whoever waits as long as Reset says gets a token'),
    ],
  }),
  of('G19', 'N', ['P-17', 'P-18'], {
    what: 'many slow downloads beside readers',
    shownBy: [
      torture(
        'slow-downloads',
        'two hundred who download slowly',
        'those who ask for a file and take nothing of it are cut',
      ),
      feature('pages/pages.one-database', 'a large page that is fetched slowly, or given up, is not mixed'),
    ],
  }),
  of('G20', 'S', ['P-19'], {
    what: 'times of lists, pages and searches on 100,000 books beside a scan',
    shownBy: [inServer('content-plans.server', 'every page of series and books is read in the order of an index')],
    missing: 'Times are measured by benches (docs/performance.md).',
  }),
]

export const security = [
  of('I1*', 'F', ['P-17'], {
    what: 'everything that answers without credentials stands on a list',
    shownBy: [
      inServer(
        'contract/route-access.one-database',
        'the table has a row for each route and a route for each row',
        'as the table says',
      ),
      inServer('contract/methods.one-database', 'every other method of every address is 405'),
    ],
  }),
  of('I2*', 'F', ['P-17'], {
    what: 'every route by every kind of caller answers as the table says; a route without a row fails',
    shownBy: [
      inServer('contract/route-access.one-database', 'as the table says', 'a key that may only read changes nothing'),
    ],
  }),
  of('I3*', 'F', ['P-17'], {
    what: 'what belongs to others does not exist',
    shownBy: [
      feature('annotations/annotations.server', 'nobody finds what others have marked'),
      feature('exports/exports.server', 'an export is its owner'),
      feature('api-keys/api-keys.server', 's key does not exist, for an administrator it does'),
      feature('filter-presets/filter-presets.server', 's preset does not exist'),
    ],
  }),
  of('I4*', 'F', ['P-17'], {
    what: 'whoever may see less gets the very answers of a server where the rest does not exist',
    shownBy: [
      inServer(
        'visibility.server',
        'every answer is the same as where the hidden content does not exist',
        'whatever shows content has a row here',
      ),
    ],
  }),
  of('I5*', 'F', ['P-17'], {
    what: 'whatever ends access ends it on the next request, for every kind of credential',
    shownBy: [
      feature(
        'sign-in/revocation.server',
        'what ends access ends it on the very next request',
        'what one node ends, another refuses soon',
      ),
    ],
  }),
  of('I6*', 'N', ['P-17'], {
    what: 'guessing is slowed down on every way in, and forged addresses do not help',
    shownBy: [
      feature(
        'sign-in/throttle.one-database',
        'each further failure doubles the wait',
        'a stranger failing from many addresses does not lock the owner out',
        'Basic is throttled as signing in is',
      ),
      server(
        'http/origin/client-address.unit',
        'whatever a client writes into the header, its address is the one our proxy saw',
      ),
    ],
  }),
  of('I7*', 'F', ['P-17'], {
    what: 'a provider of sign-ins that lies in every way is believed only as long as it is honest',
    shownBy: [
      feature(
        'oidc/hostile.one-database',
        'the handmade provider is believed as long as it is honest',
        'is not believed',
      ),
    ],
  }),
  of('I8*', 'F', ['P-17'], {
    what: 'no address that somebody gives us leads into the network of the server',
    shownBy: [
      server(
        'platform/outbound.unit',
        'addresses that are handed out to everybody are public',
        'a redirect is looked at like any address',
      ),
      server('plugins/reach.unit', 'a name server that changes its mind is asked once'),
      smoke('hostile-plugins-network', 'one that uses fetch is led to no private address'),
    ],
  }),
  of('I9*', 'N', ['P-17'], {
    what: 'text that would be a script, in every field, on every page of the web app',
    shownBy: [browser('browse', 'hostile titles are words, on every page')],
  }),
  of('I10*', 'F', ['P-17'], {
    what: 'pages of other origins change and read nothing, and cannot frame us',
    shownBy: [
      browser(
        'foreign-pages',
        'no page can put ours into a frame',
        'reads and changes with the cookie, which no script can see',
      ),
      inServer('contract/route-access.one-database', 'every change with a session cookie needs a page of our own'),
    ],
  }),
  of('I11', 'N', ['P-17'], {
    what: 'tools that look for injections and paths',
    shownBy: [
      torture(
        'scanners',
        'sqlmap finds no statement that can be hidden',
        'ffuf fetches no file from outside',
        'wfuzz finds no text at which the server fails',
      ),
      inServer('contract/fuzz.server', 'whatever is sent to whatever endpoint, the answer is one the document names'),
    ],
  }),
  of('I12*', 'F', ['P-17'], {
    what: 'no secret stands in any log',
    shownBy: [
      smoke('secrets', 'whatever is logged'),
      feature('oidc/oidc.one-database', 'no secret of a sign-in stands in the log'),
      server('platform/log.unit', 'headers that hold secrets are never logged'),
    ],
  }),
  of('I13', 'F', ['P-17'], {
    what: 'one test for each known flaw of servers like this',
    shownBy: [
      feature('sign-in/forged-tokens.one-database', 'no forged token is taken'),
      feature('users/authority.one-database', 'nor raises themselves'),
      feature('setup/setup.one-database', 'of fifty claims at once one wins'),
      torture('many-setups', 'of fifty who claim the server at once one is its administrator'),
      feature('search/search.server', 'any text is a search'),
    ],
    missing: 'Not row by row of the list of known flaws.',
  }),
  of('I14', 'F', ['P-17'], {
    what: 'the headers of security stand on every kind of answer',
    shownBy: [server('http/reply/headers.one-database', 'the security headers stand on every kind of answer')],
  }),
  of('I15', 'N', ['P-17'], {
    what: 'TLS, where we end it',
    shownBy: [],
    missing: 'The server does not end TLS; a proxy does (docs/operators/reverse-proxy.md).',
  }),
]
