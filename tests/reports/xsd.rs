//! Holds an XML document to the few things that the XML Schema of JUnit reports says: which elements stand in which,
//! which attributes they have, and which of these they must have.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::{Document, Node};

/// What the schema says of one element.
#[derive(Debug, Default)]
struct Element<'a> {
    children: BTreeSet<&'a str>,
    attributes: BTreeSet<&'a str>,
    required: BTreeSet<&'a str>,
    has_text: bool,
}

/// Returns everything in which a document breaks the schema.
pub(crate) fn problems(schema: &str, document: &str) -> Vec<String> {
    let schema = Document::parse(schema).unwrap();
    let elements: BTreeMap<&str, Element<'_>> = schema
        .root_element()
        .children()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2001/XMLSchema", "element")))
        .map(|node| (node.attribute("name").unwrap(), read(node)))
        .collect();
    let document = match Document::parse(document) {
        Ok(document) => document,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        check(node, &elements, &mut problems);
    }
    problems
}

fn read<'a>(node: Node<'a, 'a>) -> Element<'a> {
    let mut element = Element {
        has_text: node.attribute("type") == Some("xs:string"),
        ..Element::default()
    };
    for inner in node.descendants() {
        match inner.tag_name().name() {
            "complexType" => element.has_text |= inner.attribute("mixed") == Some("true"),
            "element" => element.children.extend(inner.attribute("ref")),
            "attribute" => {
                let name = inner.attribute("name").unwrap();
                element.attributes.insert(name);
                if inner.attribute("use") == Some("required") {
                    element.required.insert(name);
                }
            }
            _ => {}
        }
    }
    element
}

fn check(node: Node<'_, '_>, elements: &BTreeMap<&str, Element<'_>>, problems: &mut Vec<String>) {
    let name = node.tag_name().name();
    let Some(element) = elements.get(name) else {
        problems.push(format!("<{name}> is not known"));
        return;
    };
    let given: BTreeSet<&str> = node.attributes().map(|attribute| attribute.name()).collect();
    for unknown in given.difference(&element.attributes) {
        problems.push(format!("<{name}> has no attribute {unknown}"));
    }
    for missing in element.required.difference(&given) {
        problems.push(format!("<{name}> lacks {missing}"));
    }
    for child in node.children() {
        let inner = child.tag_name().name();
        if child.is_element() && !element.children.contains(inner) {
            problems.push(format!("<{inner}> stands in <{name}>"));
        }
        if child.is_text() && !element.has_text && !child.text().unwrap().trim().is_empty() {
            problems.push(format!("<{name}> has text"));
        }
    }
}

#[test]
fn what_the_schema_forbids_is_found() {
    let schema = include_str!("schemas/junit-10.xsd");
    let wrong = r#"<testsuites><testsuite name="a" tests="1" failures="0" errors="0" x="y">text
        <testcase><testsuite/><other/></testcase></testsuite></testsuites>"#;
    assert_eq!(
        problems(schema, wrong),
        [
            "<testsuite> has no attribute x",
            "<testsuite> has text",
            "<testcase> lacks name",
            "<testsuite> stands in <testcase>",
            "<other> stands in <testcase>",
            "<testsuite> lacks errors",
            "<testsuite> lacks failures",
            "<testsuite> lacks name",
            "<testsuite> lacks tests",
            "<other> is not known",
        ]
    );
    assert_eq!(problems(schema, "<testsuites>").len(), 1);
}
