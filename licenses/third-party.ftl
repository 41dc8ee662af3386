<#-- The list of libraries that the build writes; see cli/pom.xml. -->
# Libraries of the archives of Lovelace: name of the jar begins with | licence | where it comes from
# MIT and BSD texts differ by library: see jars, or the file in texts named like the beginning of the jar.
<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
<#assign names = entry.getValue()/>
${project.artifactId}-${project.version} | ${names?join(", ")} | ${project.groupId}:${project.artifactId} ${project.url!"-"}
</#list>
