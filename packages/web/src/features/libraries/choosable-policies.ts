import { groupingPolicies, type LibraryDto } from '@carrel/api'

type Policy = LibraryDto['grouping']['policy']

/** A pattern is written through the API: a library that has one keeps it, and others are not offered it here. */
export const choosablePolicies = (standing?: Policy): readonly Policy[] =>
  groupingPolicies.filter((policy) => policy !== 'custom' || policy === standing)
