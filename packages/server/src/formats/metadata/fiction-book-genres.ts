/** The genres of FictionBook 2, whose names are codes. */
const genres: ReadonlyMap<string, string> = new Map(
  `sf_history=Alternate history;sf_action=Science fiction action;sf_epic=Epic science fiction;sf_heroic=Heroic fantasy;
  sf_detective=Science fiction detective;sf_cyberpunk=Cyberpunk;sf_space=Space opera;sf_social=Social science fiction;
  sf_horror=Horror;sf_humor=Humorous science fiction;sf_fantasy=Fantasy;sf_fantasy_city=Urban fantasy;sf=Science fiction;
  sf_etc=Science fiction;sf_mystic=Mysticism;sf_postapocalyptic=Post-apocalyptic;sf_technofantasy=Technofantasy;
  det_classic=Classic detective;det_police=Police procedural;det_action=Action detective;det_irony=Ironic detective;
  det_history=Historical detective;det_espionage=Spy fiction;det_crime=Crime;det_political=Political detective;
  det_maniac=Serial killers;det_hard=Hard-boiled;thriller=Thriller;detective=Detective;det_cozy=Cozy mystery;
  prose_classic=Classic fiction;prose_history=Historical fiction;prose_contemporary=Contemporary fiction;
  prose_counter=Counterculture;prose_rus_classic=Russian classics;prose_su_classics=Soviet classics;prose_military=War fiction;
  prose_epic=Epic;prose=Fiction;prose_magic=Magic realism;prose_abs=Absurdist fiction;
  love_contemporary=Contemporary romance;love_history=Historical romance;love_detective=Romantic suspense;
  love_short=Short romance;love_erotica=Erotica;love_sf=Romantic science fiction;love=Romance;love_fantasy=Romantic fantasy;
  adv_western=Western;adv_history=Historical adventure;adv_indian=Indians;adv_maritime=Sea stories;adv_geo=Travel;
  adv_animal=Nature and animals;adventure=Adventure;adv_story=Adventure;
  child_tale=Fairy tales;child_verse=Children's verse;child_prose=Children's fiction;child_sf=Children's science fiction;
  child_det=Children's mystery;child_adv=Children's adventure;child_education=Children's education;children=Children's books;
  poetry=Poetry;dramaturgy=Drama;humor_anecdote=Anecdotes;humor_prose=Humorous fiction;humor_verse=Humorous verse;humor=Humour;
  antique_ant=Ancient literature;antique_european=Old European literature;antique_russian=Old Russian literature;
  antique_east=Old Eastern literature;antique_myths=Myths and legends;antique=Old literature;folk_tale=Folk tales;
  sci_history=History;sci_psychology=Psychology;sci_culture=Culture;sci_religion=Religious studies;
  sci_philosophy=Philosophy;sci_politics=Politics;sci_business=Business;sci_juris=Law;sci_linguistic=Linguistics;
  sci_medicine=Medicine;sci_phys=Physics;sci_math=Mathematics;sci_chem=Chemistry;sci_biology=Biology;sci_tech=Technology;
  science=Science;sci_popular=Popular science;sci_economy=Economics;sci_pedagogy=Education;
  comp_www=Internet;comp_programming=Programming;comp_hard=Computer hardware;comp_soft=Software;comp_db=Databases;
  comp_osnet=Operating systems and networks;computers=Computers;
  ref_encyc=Encyclopedias;ref_dict=Dictionaries;ref_ref=Reference;ref_guide=Guides;reference=Reference;
  nonf_biography=Biography;nonf_publicism=Journalism;nonf_criticism=Criticism;design=Art and design;nonfiction=Non-fiction;
  religion_rel=Religion;religion_esoterics=Esotericism;religion_self=Self-improvement;religion=Religion;
  home_cooking=Cooking;home_pets=Pets;home_crafts=Crafts;home_entertain=Entertainment;home_health=Health;home_garden=Gardening;
  home_diy=Do it yourself;home_sport=Sport;home_sex=Sexuality;home=Home and family;fanfiction=Fan fiction;comics=Comics;manga=Manga`
    .split(/;\s*/)
    .map((entry): [string, string] => {
      const [code = '', name = ''] = entry.split('=')
      return [code.trim(), name]
    }),
)

/** A code nobody knows may be a name. */
export const genreName = (written: string): string => {
  const code = written.trim().toLowerCase()
  return genres.get(code) ?? written.trim().replaceAll('_', ' ')
}
