import { feature, of, server, smoke, torture, inServer } from './case.ts'

export const nodes = [
  of('E1*', 'N', ['P-12'], {
    what: 'PostgreSQL is restarted under load, or lets nobody in: nothing is lost, no node ends, all go on by themselves',
    shownBy: [
      smoke(
        'nodes-database-away',
        'while PostgreSQL is away nodes say so and live, and all of them go on by themselves',
      ),
      server(
        'database/dialects/postgres-refusals.postgres',
        'when PostgreSQL does not let the server in any more',
        'what a lock on a table holds up is told to try again',
      ),
    ],
  }),
  of('E2*', 'N', ['P-12', 'P-1'], {
    what: 'PostgreSQL is killed again and again, alone or as the one that others follow',
    shownBy: [
      torture('postgres', 'PostgreSQL is killed again and again'),
      torture('patroni', 'three PostgreSQL under Patroni behind HAProxy'),
      torture(
        'moved-database',
        'the name of the database leads nowhere for a while, and then to the server that followed',
      ),
    ],
  }),
  of('E3*', 'F', ['P-12', 'P-21'], {
    what: 'the network to PostgreSQL swallows everything: 503 within five seconds, live all the time',
    shownBy: [
      torture('postgres', 'a network that swallows everything'),
      torture('partitions', 'one of two nodes loses its way to the database'),
      server(
        'database/dialects/postgres-silence.postgres',
        'when connections have gone silent, the first to find out is told',
        'where not even a new connection is answered, what is under way is told',
        'PostgreSQL is told to miss a node that says nothing within four seconds',
        'whoever waits for a lock longer than a change may take is told to try again',
      ),
      smoke('nodes-database-away', 'told to stop while the database is silent, servers and workers end all the same'),
    ],
  }),
  of('E4', 'F', ['P-12', 'P-24'], {
    what: 'every connection is cut again and again: no process ends, nothing is lost',
    shownBy: [
      smoke('nodes', 'every connection to the database cut again and again: no process ends, and nothing is lost'),
    ],
  }),
  of('E5*', 'F', ['P-12'], {
    what: 'only the connection that listens goes silent: it is noticed, and nothing is missed',
    shownBy: [smoke('nodes', 'a wake-up connection that is cut or goes silent costs no event')],
  }),
  of('E6*', 'F', ['P-12'], {
    what: 'no connections are left for one node more: it says so, and the others do not notice',
    shownBy: [
      smoke('postgres', 'a PostgreSQL that is not there, or not for us, stops the start with one line'),
      torture('few-connections', 'where PostgreSQL takes twenty connections'),
    ],
  }),
  of('E7', 'N', ['P-12'], {
    what: 'a database that is far away or whose connections break now and then',
    shownBy: [
      torture('far-database', 'a database 200 ms away'),
      inServer('conditions/lists.server', 'a page takes no more than four statements'),
      smoke('nodes', 'every connection to the database cut again and again'),
    ],
  }),
  of('E8', 'F', ['P-1'], {
    what: 'many writers on one row, and transactions that PostgreSQL refuses: nothing is lost or overwritten',
    shownBy: [
      server(
        'database/database.server',
        'two writers that each read and then write 500 times lose nothing and never fail',
        'many writes at once from one process lose nothing',
      ),
      feature('editing/editing.server', 'of two editors at once If-Match lets one through'),
    ],
  }),
  of('E9*', 'N', ['P-12', 'P-16', 'P-20'], {
    what: 'one of several nodes is killed, or all are restarted one by one: streams miss nothing',
    shownBy: [
      smoke('nodes', 'a client that goes from node to node, also when they are killed, gets each event once'),
      torture('behind-haproxy', 'behind HAProxy one of three servers is killed'),
    ],
  }),
  of('E10*', 'F', ['P-12'], {
    what: 'a sign-in whose steps go to different nodes; of many callbacks with one state one wins',
    shownBy: [
      feature('oidc/nodes.server', 'each step may be taken by another node'),
      feature('oidc/state.server', 'of twenty callbacks with one state, over two nodes, exactly one signs in'),
      feature('user-plugins/sign-in.one-database', 'of twenty who come back together one gets in'),
    ],
  }),
  of('E11*', 'F', ['P-12'], {
    what: 'what changes at one node is told at the others, once and in order',
    shownBy: [smoke('nodes', 'what changes at one node is told at the other, once and in order')],
  }),
  of('E12', 'F', ['P-17'], {
    what: 'limits over several nodes are those of one, within a fifth',
    shownBy: [
      server(
        'http/rate-limit/shared-rate-limit.unit',
        'through any number of nodes there is never more than 1.2 times the limit',
      ),
      feature('sign-in/throttle.server', 'what is counted survives a restart and is known to every node'),
    ],
  }),
  of('E13*', 'N', ['P-14'], {
    what: 'old and new nodes side by side during an upgrade',
    shownBy: [smoke('rolling-upgrade', 'a node goes on beside a newer one that has added to the schema')],
    missing:
      'Not for ten minutes, and the newer version is one that adds to every table, because there is one release.',
  }),
  of('E14*', 'N', ['P-24'], {
    what: 'the same requests on SQLite and PostgreSQL have the same answers',
    shownBy: [
      inServer('conditions/conditions.server', 'holds in SQL where it holds when it is evaluated plainly'),
      inServer('contract/lists.one-database', 'the same on both databases'),
      server('database/database.server', 'text compares byte by byte on both databases'),
    ],
    missing: 'Each database against a plain evaluation, not one against the other.',
  }),
  of('E15', 'F', ['P-13'], {
    what: 'several nodes start at once on an empty database: one migrates, all are ready',
    shownBy: [
      smoke('postgres', 'servers that start together migrate once, agree on one secret and one first administrator'),
      server(
        'database/migrate.server',
        'of several that migrate at once, an empty database too, each step is run by one',
      ),
    ],
  }),
]
