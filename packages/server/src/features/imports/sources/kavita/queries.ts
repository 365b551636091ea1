import { recordLimits } from '../../records.ts'
import { gathered, gatheredRows } from '../gathered.ts'
import { cut, type StoreDatabase, type StoreRow } from '../sqlite.ts'

/**
 * The tables of Kavita. What a version of two years ago does not have is null in what is read from it. Everything comes in the order of a
 * key, a row at a time.
 */
type Rows = Iterable<StoreRow>

const unless = (db: StoreDatabase, table: string, column: string, expression: string): string =>
  db.has(table, column) ? expression : 'null'

export const selectVersion = (db: StoreDatabase): StoreRow | undefined =>
  db.first(`select ${cut('Value', 50)} as version from ServerSetting where "Key" = 11`)

export const selectSchema = (db: StoreDatabase, newestMigration: string): StoreRow | undefined =>
  db.first(
    `select ${cut('max(MigrationId)', 200)} as newest, sum(MigrationId > @newestMigration) as unknown from __EFMigrationsHistory`,
    { newestMigration },
  )

export const countRows = (db: StoreDatabase, table: string, where = 'true'): number => {
  if (!db.has(table)) return 0
  const count = db.first(`select count(*) as count from "${table}" where ${where}`)?.['count']
  return typeof count === 'number' ? count : 0
}

export const selectLibraries = (db: StoreDatabase): Rows =>
  db.rows(`
    select l.Id as id, ${cut('l.Name')} as name,
      ${gathered(cut('f.Path'), 'FolderPath f where f.LibraryId = l.Id order by f.Id')} as roots
    from Library l order by l.Id`)

export const selectUsers = (db: StoreDatabase): Rows =>
  db.rows(`
    select u.Id as id, ${cut('u.UserName')} as name, ${cut('u.Email')} as email,
      u.AgeRestriction as ageRestriction, u.AgeRestrictionIncludeUnknowns as includeUnknowns,
      ${gathered(cut('r.Name', 100), 'AspNetUserRoles l join AspNetRoles r on r.Id = l.RoleId where l.UserId = u.Id order by r.Id')} as roles,
      ${gathered('l.LibrariesId', 'AppUserLibrary l where l.AppUsersId = u.Id order by l.LibrariesId')} as libraries
    from AspNetUsers u order by u.Id`)

const externalIds = ['AniListId', 'MalId', 'MangaBakaId', 'MetronId', 'CbrId', 'ComicVineId', 'HardcoverId']
const externalIdsOf = (db: StoreDatabase, table: string, alias: string): string =>
  externalIds.map((name) => `${unless(db, table, name, `${alias}.${name}`)} as ${name}`).join(', ')

const people = (db: StoreDatabase, table: string, column: string, key: string): string => {
  const order = unless(db, table, 'OrderWeight', 'l.OrderWeight')
  const from = `${table} l join Person p on p.Id = l.PersonId where l.${column} = ${key} order by ${order}, l.Role, p.Id`
  return gatheredRows([cut('p.Name'), 'l.Role'], from)
}

/** The folder of a series is the one that holds all of it; the other one is the highest that holds nothing else, an author's perhaps. */
export const selectSeries = (db: StoreDatabase): Rows =>
  db.rows(`
    select s.Id as id, s.LibraryId as library, ${cut('s.Name')} as name, ${cut('s.OriginalName')} as originalName,
      ${cut('s.LocalizedName')} as localizedName, s.LocalizedNameLocked as localizedNameLocked,
      ${cut('s.SortName')} as sortName, s.SortNameLocked as sortNameLocked, 
      ${cut(db.has('Series', 'LowestFolderPath') ? 'coalesce(s.LowestFolderPath, s.FolderPath)' : 's.FolderPath')} as folder,
      ${externalIdsOf(db, 'Series', 's')},
      m.Id as metadata, ${cut('m.Summary', recordLimits.prose)} as summary, m.AgeRating as ageRating,
      m.PublicationStatus as status, ${cut('m.Language', 100)} as language, m.ReleaseYear as year,
      m.TotalCount as totalCount, ${cut('m.WebLinks')} as links,
      ${people(db, 'SeriesMetadataPeople', 'SeriesMetadataId', 'm.Id')} as people,
      ${gathered(cut('g.Title'), 'GenreSeriesMetadata l join Genre g on g.Id = l.GenresId where l.SeriesMetadatasId = m.Id order by g.Id')} as genres,
      ${gathered(cut('t.Title'), 'SeriesMetadataTag l join Tag t on t.Id = l.TagsId where l.SeriesMetadatasId = m.Id order by t.Id')} as tags,
      ${lockColumns(db, 'SeriesMetadata', 'm', locksOfSeries)}
    from Series s left join SeriesMetadata m on m.SeriesId = s.Id order by s.Id`)

const locksOfPeople = [
  'Writer',
  'Penciller',
  'Inker',
  'Colorist',
  'Letterer',
  'CoverArtist',
  'Editor',
  'Publisher',
  'Imprint',
  'Translator',
  'Character',
  'Team',
  'Location',
]
const locksOfSeries = [
  'Summary',
  'AgeRating',
  'PublicationStatus',
  'Language',
  'ReleaseYear',
  'Genres',
  'Tags',
  ...locksOfPeople,
]
const locksOfChapters = [
  'TitleName',
  'Summary',
  'AgeRating',
  'ReleaseDate',
  'Language',
  'ISBN',
  'SortOrder',
  'Genres',
  'Tags',
  ...locksOfPeople,
]

const lockColumns = (db: StoreDatabase, table: string, alias: string, names: readonly string[]): string =>
  names.map((name) => `${unless(db, table, `${name}Locked`, `${alias}.${name}Locked`)} as ${name}Locked`).join(', ')

/** A row for each file; those of one chapter follow each other, in the order in which Kavita shows them. */
export const selectFiles = (db: StoreDatabase): Rows =>
  db.rows(`
    select c.Id as chapter, s.Id as series, s.LibraryId as library, ${cut('s.Name')} as seriesName,
      v.MinNumber as minVolume, v.MaxNumber as maxVolume, c.MinNumber as minNumber, c.MaxNumber as maxNumber,
      c.IsSpecial as isSpecial, ${cut('c.Range')} as range, ${cut('c.TitleName')} as title, c.Pages as pages,
      ${cut('c.Summary', recordLimits.prose)} as summary, c.AgeRating as ageRating, ${cut('c.ReleaseDate', 50)} as releaseDate,
      ${cut('c.Language', 100)} as language, ${cut('c.ISBN', 200)} as isbn, c.SortOrder as sortOrder,
      ${externalIdsOf(db, 'Chapter', 'c')},
      ${people(db, 'ChapterPeople', 'ChapterId', 'c.Id')} as people,
      ${gathered(cut('g.Title'), 'ChapterGenre l join Genre g on g.Id = l.GenresId where l.ChaptersId = c.Id order by g.Id')} as genres,
      ${gathered(cut('t.Title'), 'ChapterTag l join Tag t on t.Id = l.TagsId where l.ChaptersId = c.Id order by t.Id')} as tags,
      ${lockColumns(db, 'Chapter', 'c', locksOfChapters)},
      f.Id as file, ${cut('f.FilePath')} as path, f.Bytes as bytes, f.Pages as filePages,
      ${unless(db, 'MangaFile', 'KoreaderHash', cut('f.KoreaderHash', 100))} as koreaderHash
    from Chapter c
      left join Volume v on v.Id = c.VolumeId left join Series s on s.Id = v.SeriesId
      left join MangaFile f on f.ChapterId = c.Id
    order by c.Id, f.Id`)

/** What is said of a chapter needs to know how long that is, and whether its pages are items of a spine. */
const chapter = `c.Id as chapter, c.Pages as pages,
      (select f.Format from MangaFile f where f.ChapterId = c.Id order by f.Id limit 1) as format`

/** What sessions tell of a user and a chapter, all at once: a look for each row would take as long as all the rest. */
const told = `select s.AppUserId as user, a.ChapterId as chapter, sum(a.EndPage >= a.TotalPages) as knownReads,
        max(${cut('coalesce(a.EndTimeUtc, a.StartTimeUtc)', 50)}) as lastSessionAt
      from AppUserReadingSessionActivityData a join AppUserReadingSession s on s.Id = a.AppUserReadingSessionId
      group by s.AppUserId, a.ChapterId`
const nothingTold = 'select null as user, null as chapter, null as knownReads, null as lastSessionAt where false'

export const selectProgress = (db: StoreDatabase): Rows =>
  db.rows(`
    select p.Id as id, u.Id as user, ${chapter}, p.PagesRead as pagesRead,
      ${unless(db, 'AppUserProgresses', 'TotalReads', 'p.TotalReads')} as totalReads, told.knownReads, told.lastSessionAt,
      ${cut('p.CreatedUtc', 50)} as createdAt, ${cut('p.LastModifiedUtc', 50)} as modifiedAt
    from AppUserProgresses p left join AspNetUsers u on u.Id = p.AppUserId left join Chapter c on c.Id = p.ChapterId
      left join (${db.has('AppUserReadingSessionActivityData') ? told : nothingTold}) told
        on told.user = p.AppUserId and told.chapter = p.ChapterId
    order by p.Id`)

export const selectSessions = (db: StoreDatabase): Rows => {
  if (!db.has('AppUserReadingSessionActivityData')) return []
  const device = db.has('ClientDevice')
    ? `(select ${cut('d.FriendlyName')} from ClientDevice d
        where d.Id = case when json_valid(a.DeviceIds) then json_extract(a.DeviceIds, '$[0]') end)`
    : 'null'
  return db.rows(`
    select a.Id as id, u.Id as user, ${chapter}, a.EndPage as endPage, a.TotalPages as totalPages, a.PagesRead as pagesRead,
      s.IsGenerated as isGenerated, ${cut('a.StartTimeUtc', 50)} as startedAt,
      ${cut('coalesce(a.EndTimeUtc, s.EndTimeUtc, s.LastModifiedUtc)', 50)} as endedAt,
      max(case when a.EndPage >= a.TotalPages then ${cut('coalesce(a.EndTimeUtc, a.StartTimeUtc)', 50)} end) over (
        partition by s.AppUserId, a.ChapterId order by coalesce(a.EndTimeUtc, a.StartTimeUtc), a.Id
        rows between unbounded preceding and 1 preceding
      ) as finishedBefore,
      ${device} as device, ${cut('a.ClientInfo', recordLimits.prose)} as clientInfo
    from AppUserReadingSessionActivityData a
      left join AppUserReadingSession s on s.Id = a.AppUserReadingSessionId
      left join AspNetUsers u on u.Id = s.AppUserId left join Chapter c on c.Id = a.ChapterId
    order by a.Id`)
}

export const selectRatings = (db: StoreDatabase): Rows =>
  db.rows(`
    select u.Id as user, s.Id as subject, r.HasBeenRated as hasBeenRated, r.Rating as rating,
      ${cut('r.Review', recordLimits.prose)} as review,
      ${unless(db, 'AppUserRating', 'LastModifiedUtc', cut('r.LastModifiedUtc', 50))} as modifiedAt
    from AppUserRating r left join AspNetUsers u on u.Id = r.AppUserId left join Series s on s.Id = r.SeriesId
    order by r.Id`)

export const selectChapterRatings = (db: StoreDatabase): Rows =>
  db.has('AppUserChapterRating')
    ? db.rows(`
    select u.Id as user, c.Id as subject, r.HasBeenRated as hasBeenRated, r.Rating as rating,
      ${cut('r.Review', recordLimits.prose)} as review, ${cut('r.LastModifiedUtc', 50)} as modifiedAt
    from AppUserChapterRating r left join AspNetUsers u on u.Id = r.AppUserId left join Chapter c on c.Id = r.ChapterId
    order by r.Id`)
    : []

/** They are kept in the same form: what somebody wants to read, and what they do not want to be offered any more. */
export const selectSeriesOfUsers = (db: StoreDatabase, table: 'AppUserWantToRead' | 'AppUserOnDeckRemoval'): Rows =>
  db.rows(`
    select u.Id as user, s.Id as series
    from ${table} w left join AspNetUsers u on u.Id = w.AppUserId left join Series s on s.Id = w.SeriesId
    order by w.Id`)

export const selectCollections = (db: StoreDatabase): Rows =>
  db.rows(`
    select c.Id as id, u.Id as owner, ${cut('c.Title')} as name, ${cut('c.Summary', recordLimits.prose)} as summary,
      c.Promoted as isShared, c.Source as source
    from AppUserCollection c left join AspNetUsers u on u.Id = c.AppUserId order by c.Id`)

export const selectSeriesOfCollection = (db: StoreDatabase, collection: number, most: number): Rows =>
  db.rows(
    `select l.ItemsId as member from AppUserCollectionSeries l where l.CollectionsId = @collection order by l.ItemsId`,
    { parameters: { collection }, most },
  )

/** The form that collections had before they belonged to somebody; Kavita empties it as it moves to the new one. */
export const selectOldCollections = (db: StoreDatabase): Rows =>
  db.has('CollectionTag')
    ? db.rows(`
    select c.Id as id, ${cut('c.Title')} as name, ${cut('c.Summary', recordLimits.prose)} as summary, c.Promoted as isShared
    from CollectionTag c order by c.Id`)
    : []

export const selectSeriesOfOldCollection = (db: StoreDatabase, collection: number, most: number): Rows =>
  db.rows(
    `select m.SeriesId as member from CollectionTagSeriesMetadata l join SeriesMetadata m on m.Id = l.SeriesMetadatasId
      where l.CollectionTagsId = @collection order by m.SeriesId`,
    { parameters: { collection }, most },
  )

export const selectReadingLists = (db: StoreDatabase): Rows =>
  db.rows(`
    select r.Id as id, u.Id as owner, ${cut('r.Title')} as name, ${cut('r.Summary', recordLimits.prose)} as summary,
      r.Promoted as isShared
    from ReadingList r left join AspNetUsers u on u.Id = r.AppUserId order by r.Id`)

export const selectChaptersOfReadingList = (db: StoreDatabase, readingList: number, most: number): Rows =>
  db.rows(
    `select i.ChapterId as member from ReadingListItem i where i.ReadingListId = @readingList order by i."Order", i.Id`,
    { parameters: { readingList }, most },
  )

export const selectBookmarks = (db: StoreDatabase): Rows =>
  db.rows(`
    select u.Id as user, ${chapter}, b.Page as page, ${cut('b.CreatedUtc', 50)} as createdAt, null as note
    from AppUserBookmark b left join AspNetUsers u on u.Id = b.AppUserId left join Chapter c on c.Id = b.ChapterId
    order by b.Id`)

/** What Kavita calls a table of contents of a person's own are bookmarks in an EPUB, with a name. */
export const selectOwnContents = (db: StoreDatabase): Rows =>
  db.has('AppUserTableOfContent', 'CreatedUtc')
    ? db.rows(`
    select u.Id as user, ${chapter}, b.PageNumber as page, ${cut('b.CreatedUtc', 50)} as createdAt, ${cut('b.Title')} as note
    from AppUserTableOfContent b left join AspNetUsers u on u.Id = b.AppUserId left join Chapter c on c.Id = b.ChapterId
    order by b.Id`)
    : []

export const selectAnnotations = (db: StoreDatabase): Rows =>
  db.has('AppUserAnnotation')
    ? db.rows(`
    select u.Id as user, ${chapter}, a.PageNumber as page, ${cut('a.SelectedText', recordLimits.prose)} as quote,
      ${cut('a.CommentPlainText', recordLimits.prose)} as plainComment, ${cut('a.Comment', recordLimits.prose)} as comment,
      ${cut('a.CreatedUtc', 50)} as createdAt
    from AppUserAnnotation a left join AspNetUsers u on u.Id = a.AppUserId left join Chapter c on c.Id = a.ChapterId
    order by a.Id`)
    : []

/** A cover is somebody's choice only when it is locked; all others Kavita has made itself. */
export const selectChosenCovers = (db: StoreDatabase): Rows =>
  db.rows(
    [
      ['series', 'Series'],
      ['book', 'Chapter'],
      ['collection', 'AppUserCollection'],
      ['readList', 'ReadingList'],
    ]
      .map(
        ([what, table]) =>
          `select '${what}' as what, Id as id, ${cut('CoverImage')} as picture from ${table} where CoverImageLocked = 1`,
      )
      .join(' union all '),
  )
