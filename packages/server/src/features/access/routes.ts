import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import {
  addMembers,
  addOidcMapping,
  changeAccessGroup,
  createAccessGroup,
  grantToGroup,
  listAccessGroups,
  listGroupsOfUser,
  readAccessGroup,
  removeAccessGroup,
  removeMember,
  removeOidcMapping,
  takeGrantBack,
} from './groups.ts'
import {
  changeSharingTag,
  createSharingTag,
  listSharingTags,
  readSharingTag,
  removeSharingTag,
} from './sharing-tags.ts'

export const accessRoutes = (app: FastifyInstance, { db, clock }: Context): void => {
  serveList(app, api.listSharingTags, ({ query, paging }) => listSharingTags(db.read, query.sort, paging))
  serve(app, api.createSharingTag, ({ body }) => createSharingTag(db, body, clock()))
  serve(app, api.readSharingTag, ({ params }) => readSharingTag(db.read, params.id))
  serve(app, api.updateSharingTag, ({ params, body, expectMatch }) =>
    changeSharingTag(db, params.id, body, { now: clock(), expectMatch }),
  )
  serve(app, api.deleteSharingTag, ({ params, expectMatch }) => removeSharingTag(db, params.id, expectMatch))

  serveList(app, api.listAccessGroups, ({ query, paging }) => listAccessGroups(db.read, query.sort, paging))
  serve(app, api.createAccessGroup, ({ body }) => createAccessGroup(db, body, clock()))
  serve(app, api.readAccessGroup, ({ params }) => readAccessGroup(db.read, params.id))
  serve(app, api.updateAccessGroup, ({ params, body, expectMatch }) =>
    changeAccessGroup(db, params.id, body, { now: clock(), expectMatch }),
  )
  serve(app, api.deleteAccessGroup, ({ params, expectMatch }) => removeAccessGroup(db, params.id, expectMatch))
  serve(app, api.saveAccessGroupGrant, ({ params, body }) => grantToGroup(db, params.id, body, clock()))
  serve(app, api.deleteAccessGroupGrant, ({ params }) => takeGrantBack(db, params.id, params.tagId))
  serve(app, api.addAccessGroupMembers, ({ params, body }) => addMembers(db, params.id, body.userIds, clock()))
  serve(app, api.removeAccessGroupMember, ({ params }) => removeMember(db, params.id, params.userId))
  serve(app, api.addAccessGroupOidcMapping, ({ params, body }) =>
    addOidcMapping(db, params.id, body.oidcGroupName, clock()),
  )
  serve(app, api.deleteAccessGroupOidcMapping, ({ params }) => removeOidcMapping(db, params.id, params.mappingId))
  serve(app, api.listGroupsOfUser, ({ params }) => listGroupsOfUser(db.read, params.id))
}
